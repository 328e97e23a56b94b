"""Noise."""

import streamlit as st

st.header("Noise")
