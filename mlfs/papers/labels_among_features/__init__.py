"""Did the labels of bibtex stand among its features?"""
