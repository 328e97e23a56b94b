"""Data."""

import streamlit as st

st.header("Data")
