"""Reports and figures: what results databases contain, as pages and pictures."""
