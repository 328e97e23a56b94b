"""Pareto."""

import streamlit as st

st.header("Pareto")
