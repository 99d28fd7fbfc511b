"""Follows a document as a reader would: writes its files, runs its commands, compares what they print.

Fenced blocks and what becomes of them:

``console``            each line ``$ command`` is run (it goes on after a backslash, and inside quotation
                       marks); the lines below it must be lines of the real output, in this order, blanks
                       aside; ``…`` stands for anything. ``exit=1`` after the language: the last command ends
                       with that code, the others with 0. ``no-run``: nothing is done.
``sql results="file"`` is asked of that results database, with `scorespec query`. The lines of the block
                       ``text answer`` below it must be those that are printed, all of them, blanks aside.
``python``             is run; the comments ``# …`` behind its calls of print must be printed, in this order.
any, ``title="name"``  is written to a file of that name; a ``diff`` is applied to it.
any, ``from="name"``   is a part of that file of the checkout: its lines are there, in this order.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[1]
COPIED = ("engine", "specs", "sql", "tests/data", "docs/examples")
_FENCE = re.compile(r"(?P<indent> *)```(?P<info>.*)")
_PRINTED = re.compile(r"^\s*print\(.*\)\s+# (?P<text>.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words after it (``key=value``), its text and first line."""

    language: str
    words: dict[str, str]
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A command of a console block and the lines shown below it."""

    command: str
    shown: list[str]


def blocks(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document, in order."""
    info, indent, first, inside = None, "", 0, list[str]()
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        fence = _FENCE.fullmatch(line)
        if fence and info is None:
            info, indent, first, inside = fence["info"], fence["indent"], number + 1, []
        elif fence and info is not None:
            language, *words = shlex.split(info) or [""]
            pairs = (word.partition("=") for word in words)
            yield Block(language, {k: v for k, _, v in pairs}, "\n".join([*inside, ""]), first)
            info = None
        else:
            inside.append(line.removeprefix(indent))
    assert info is None, f"{document}:{first}: this block is not closed"


def commands(block: Block) -> list[Command]:
    """The commands of a console block."""
    found: list[Command] = []
    for line in block.text.rstrip("\n").splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], []))
        elif not found[-1].shown and _goes_on(found[-1].command):
            found[-1] = Command(f"{found[-1].command}\n{line}", [])
        else:
            found[-1].shown.append(line)
    return found


def _goes_on(command: str) -> bool:
    """Whether the next line belongs to the command: it ends in a backslash, or inside quotation marks."""
    try:
        shlex.split(command)
    except ValueError:
        return True
    return command.endswith("\\")


def _plain_arguments(command: str) -> list[str]:
    """The words of a command; none when it takes a shell to run it."""
    lexer = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words = list(lexer)
    shell = "$" in command or any(set(word) <= set("();<>|&") for word in words)
    return [] if shell else words


def missing_line(shown: Iterable[str], printed: str) -> str | None:
    """The first shown line that is not printed after those above it; None when all are."""
    lines = iter([_plain(line) for line in printed.splitlines()])
    for line in map(_plain, shown):
        pattern = ".*".join(map(re.escape, line.split("…")))
        if line not in ("", "…") and not any(re.fullmatch(pattern, each) for each in lines):
            return line
    return None


def _plain(line: str) -> str:
    return " ".join(line.split())


@cache
def _command_line() -> Any:
    """The command line, whose commands Typer would make anew in each call of the app."""
    from typer.main import get_command

    from scorespec.cli import app

    return get_command(app)


@dataclass
class Reader:
    """Someone with a copy of the checkout at ``home``, who reads a document and does what it says.

    The folder ``served`` has a command `scorespec` for shells, which runs the package as it is. Only folders that the
    document names are copied.
    """

    home: Path
    served: Path
    folder: Path = field(init=False)
    changed: bool = field(init=False, default=False)  # whether the document changed the package
    names: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.home.mkdir(exist_ok=True)
        self.folder = self.home

    def follow(self, document: Path) -> int:
        """Do everything; how many blocks were run. AssertionError tells the line where it fails."""
        text = document.read_text(encoding="utf-8")
        for name in COPIED:
            if f"{name}/" in text:
                shutil.copytree(CHECKOUT / name, self.home / name)
        done, answer = 0, ""
        for block in blocks(document):
            where = f"{document.name}:{block.line}"
            if "title" in block.words:
                self._write(block, where)
            elif "from" in block.words:
                missing = missing_line(block.text.splitlines(), (CHECKOUT / block.words["from"]).read_text())
                assert missing is None, f"{where}: not in {block.words['from']}: {missing}"
            elif block.language == "console" and "no-run" not in block.words:
                self._run(block, where)
                done += 1
            elif block.language == "sql" and "results" in block.words:
                answer = self.run(f"scorespec query {block.words['results']} {shlex.quote(block.text)}")[1]
                done += 1
            elif "answer" in block.words:
                shown, printed = (list(map(_plain, text.splitlines())) for text in (block.text, answer))
                assert shown == printed, f"{where}: the answer is\n{answer}"
            elif block.language == "python":
                self._execute(block, where)
                done += 1
        return done

    def _write(self, block: Block, where: str) -> None:
        path = self.folder / block.words["title"]
        path.parent.mkdir(parents=True, exist_ok=True)
        self.changed |= path.is_relative_to(self.home / "engine")
        text = block.text if block.language != "diff" else _changed(path.read_text(), block.text, where)
        path.write_text(text, encoding="utf-8")

    def _run(self, block: Block, where: str) -> None:
        found = commands(block)
        for number, each in enumerate(found, 1):
            code, printed = self.run(each.command)
            wanted = int(block.words.get("exit", 0)) if number == len(found) else 0
            said = f"{where}: $ {each.command}\n{printed}"
            assert code == wanted, f"{said}\nended with {code}, not {wanted}"
            missing = missing_line(each.shown, printed)
            assert missing is None, f"{said}\ndoes not print, where it is shown:\n{missing}"

    def run(self, command: str) -> tuple[int, str]:
        """Run a command in the folder that the last one left: its exit code, what it printed.

        `scorespec` alone, unchanged, is run in this process: starting one takes longer than most commands.
        """
        plain = _plain_arguments(command)
        if plain and plain[0] == "scorespec" and not self.changed:
            return self._score(plain[1:])
        state = self.home / ".folder"
        script = f'{command}\ncode=$?; pwd > "{state}"; exit $code'
        folders = [Path(sys.executable).parent, os.environ["PATH"]]
        package = self.home if self.changed else CHECKOUT
        path = os.pathsep.join(map(str, folders if self.changed else [self.served, *folders]))
        environment = {**os.environ, "PATH": path, "PYTHONPATH": str(package / "engine")}
        shell = ["bash", "-c", script]
        done = subprocess.run(
            shell, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        self.folder = Path(state.read_text().strip())
        return done.returncode, done.stdout + done.stderr

    def _score(self, arguments: list[str]) -> tuple[int, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(self.folder):
            try:
                _command_line()(arguments, prog_name="scorespec")
                code = 0
            except SystemExit as ended:
                code = int(ended.code or 0)
        return code, out.getvalue() + err.getvalue()

    def _execute(self, block: Block, where: str) -> None:
        out = io.StringIO()
        code = compile("\n" * (block.line - 1) + block.text, where.partition(":")[0], "exec")
        with contextlib.redirect_stdout(out), contextlib.chdir(self.folder):
            exec(code, self.names)
        shown = [match["text"] for match in _PRINTED.finditer(block.text)]
        missing = missing_line(shown, out.getvalue())
        assert missing is None, f"{where}: does not print: {missing}\n{out.getvalue()}"


def _changed(text: str, diff: str, where: str) -> str:
    """A text with each change of a diff made; what is before and around it must be there once."""
    for change in re.split(r"^@@.*\n", diff, flags=re.MULTILINE):
        lines = change.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        assert text.count(before) == 1 or not lines, f"{where}: there {text.count(before)} times:\n{before}"
        text = text.replace(before, after) if lines else text
    return text
