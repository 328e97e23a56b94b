"""Significance."""

import streamlit as st

st.header("Significance")
