"""Learn."""

import streamlit as st

st.header("Learn")
