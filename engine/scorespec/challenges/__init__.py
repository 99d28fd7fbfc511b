"""Bundles with which platforms of challenges score submissions."""
