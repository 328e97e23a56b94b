"""What the pages share: the link, the sidebar's controls, figures and tables with their take-away, long work."""
