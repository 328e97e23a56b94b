"""Sensitivity."""

import streamlit as st

st.header("Sensitivity")
