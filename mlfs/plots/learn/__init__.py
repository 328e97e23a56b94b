"""The figures of the toys in `mlfs.learn`: small, few numbers, readable from the last row."""
