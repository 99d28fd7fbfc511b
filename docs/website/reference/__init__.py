"""The pages of the reference, computed from what is defined."""
