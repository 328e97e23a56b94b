"""Papers."""

import streamlit as st

st.header("Papers")
