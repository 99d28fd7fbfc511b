"""The command line: ``app`` assembles the commands; ``scorespec.__main__`` runs them as a process."""

from __future__ import annotations

from scorespec.cli.program import app

__all__ = ["app"]
