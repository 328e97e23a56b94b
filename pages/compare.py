"""Compare."""

import streamlit as st

st.header("Compare")
