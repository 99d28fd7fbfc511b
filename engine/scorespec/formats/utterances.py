"""An utterance a line: ``.trn`` and ``.stm``, as NIST's scoring tools read them, the text of Kaldi, and plain lines.

In ``trn`` and ``stm``, lines that begin with ``;;`` are comments. NIST's signs are read if the table has a column for
alternations: alternatives, ``{ a / b c / @ }``; ``@`` for no word; marks after a word, ``word;mark``; and in ``stm`` a
label, ``<…>``, before the words. Otherwise, all of these are words, except for a label with a comma. Kaldi's text and
plain lines have these signs only if the option ``marks=nist`` asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pyarrow as pa

from scorespec.errors import Code, Problems
from scorespec.formats.format import BLANKS, Block, Columns, Format, fault_of_time, read_blocks, shown
from scorespec.formats.kaldi_folders import Folder
from scorespec.formats.markup import markup_of
from scorespec.formats.text_rows import PLAIN
from scorespec.formats.timed import MARKED, NO_WORD
from scorespec.formats.token_rows import Mark, Passage, Tokens

_NAMED = re.compile(r"(.*)\(([^()\s]+)\)\s*", re.ASCII)
_LABEL = re.compile(r"<[^<>\s]*>$")
_LISTED_LABEL = re.compile(r"<[^<>\s]*,[^<>\s]*>$")  # such as <o,f0,male>
_MARKED = re.compile(MARKED)
_PART = re.compile(r"[{}/]|[^{}/]+")  # of alternatives
_NIST = "nist"  # the value of the option marks
_MOST_BRANCHES = 100  # of an alternative with alternatives inside
_BEGINNING = 2**16  # bytes that tell what a file is
_STM = ("document", "channel", "speaker", "begin", "end")
_WORDS = ("number", "token", "alternation", "branch")  # the columns of a word

_AUDIO = r"\S+\.(?:wav|flac|mp3|m4a|ogg|opus)"
_TIME = "[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?"
_LOOKS = (  # what a text looks like if all of these lines match
    ("trn", "trn ('words (utterance)')", r".*\([^()\s]+\)\s*"),
    ("stm", f"stm ('{' '.join(_STM)} words')", rf"\S+\s+\S+\s+\S+\s+{_TIME}\s+{_TIME}(\s.*)?"),
    ("ctm", "ctm ('document channel onset duration word')", rf"\S+\s+\S+\s+{_TIME}\s+{_TIME}\s+\S.*"),
    ("sgml", "sgml (words with tags such as <DOC>)", r".*"),
    ("kaldi", "the text of Kaldi ('utterance words')", rf"(?=\S*[0-9_-]|{_AUDIO}(\s|$))\S+(\s.*)?"),
    ("lines", "plain lines, which are paired by their numbers", r".*"),
)
_STRICT = ("trn", "stm", "ctm")  # not every text is in this format
_TEXTS = {name for name, *_ in _LOOKS} - {"sgml"}  # sgml itself says what other texts look like

_Utterance = tuple[Passage, list[str]]
_Split = Callable[[str], list[str]]


class _Utterances:
    """The utterances of a file: the passage and the words of each."""

    def __init__(self, problems: Problems, columns: Columns) -> None:
        self._problems = problems
        self.signs = "alternation" in columns
        self._labels = [0, 0]  # numbers of lines without and with a label
        self._unlabelled = 0  # the first line without one
        self.tokens = Tokens()
        self._alternations = 0
        self._counts: dict[str, int] = {}  # of segments in each document
        self._names: dict[str, int] = {}  # the line of each utterance

    def trn(self, line: str, number: int, split: _Split) -> _Utterance | None:
        """``words (name)``; the speaker is also the document."""
        found = _NAMED.fullmatch(line)
        if found is None:
            self._problems.add(
                number,
                f"the line does not end with the name of its utterance in parentheses: {shown(line.strip(BLANKS))}",
            )
            return None
        passage = self._named(found[2], number)
        return passage._replace(speaker=passage.document), split(found[1])

    def kaldi(self, line: str, number: int, split: _Split) -> _Utterance | None:
        """``utterance words``; the document is as in ``trn``, and no speaker is named."""
        name, *words = split(line) or [""]
        return (self._named(name, number), words) if name else None

    def plain(self, line: str, number: int, split: _Split) -> _Utterance | None:
        """``words``; the name of the utterance is the number of the line."""
        return Passage(PLAIN, str(number)), split(line)

    def _named(self, utterance: str, number: int) -> Passage:
        """The passage of an utterance: its document is its name up to the first ``-``, else the first ``_``."""
        if (first := self._names.setdefault(utterance, number)) != number:
            said = f"utterance {utterance} is repeated; it is already at line {first}"
            self._problems.add(number, said, Code.REPEATED_KEY)
        return Passage(utterance.split("-" if "-" in utterance else "_")[0] or utterance, utterance)

    def stm(self, line: str, number: int, split: _Split) -> _Utterance | None:
        """``document channel speaker begin end [<label>] words``; segments are numbered."""
        fields = split(line)
        if len(fields) < len(_STM):
            self._problems.add(number, f"expected {' '.join(_STM)} and words: {shown(line.strip(BLANKS))}")
            return None
        document, channel, speaker, begin, end = fields[: len(_STM)]
        for name, time in (("begin", begin), ("end", end)):
            if fault := fault_of_time(name, time):
                self._problems.add(number, *fault, name)
                return None
        self._counts[document] = self._counts.get(document, 0) + 1
        words = fields[len(_STM) :]
        if words:
            labelled = bool((_LABEL if self.signs else _LISTED_LABEL).match(words[0]))
            self._labels[labelled] += 1
            self._unlabelled = self._unlabelled or number * (not labelled)
            words = words[labelled:]
        return Passage(document, str(self._counts[document]), begin, end, speaker, channel), words

    def add_words(self, passage: Passage, words: list[str], number: int) -> None:
        """Add the words of an utterance as they are; without words, a row without a token."""
        self.tokens.add(words or [None], number, passage)

    def add(self, passage: Passage, words: list[str], number: int, line: str = "{};@") -> None:
        """Add the words of an utterance, those of alternatives marked, if its line may have signs."""
        if not words or not self.signs or not any(sign in line for sign in "{};@"):  # nearly always
            self.add_words(passage, words, number)
            return
        try:
            for group in _groups(words):
                self._add_group(passage, group, number)
        except ValueError as error:
            self._problems.add(number, str(error))

    def _add_group(self, passage: Passage, group: list[str], number: int) -> None:
        """Add a word, or the words of alternatives."""
        if group[0][0] not in "{}":
            self.tokens.add(_unmarked(group), number, passage)
            return
        parts = iter(_parts(group))
        if next(parts) == "}":
            raise ValueError("'}' without its counterpart")
        branches = _branches(parts)
        if len(branches) == 1:
            which = "of words in braces without a slash, which are no alternatives,"
            self._problems.leave_out("group", which, number, verdict="read as words")
            self.tokens.add([word for word in group if word not in "{}"], number, passage)
            return
        for branch, words in enumerate(branches):
            self.tokens.add(_unmarked(words), number, passage, Mark(alternation=self._alternations, branch=branch))
        self._alternations += 1
        if rest := list(parts):  # joined to the closing brace
            self._add_group(passage, rest, number)

    def end(self) -> None:
        """Warn of labels that only some lines have."""
        if all(self._labels) and self.signs:
            which = f"without a label, unlike {self._labels[True]:,} with one (<…> before the words),"
            self._problems.leave_out("line", which, self._unlabelled, self._labels[False], verdict="read as words")


def _groups(words: list[str]) -> Iterator[list[str]]:
    """The words one by one, but those of alternatives together.

    Alternatives begin with a brace at the begin of a word; inside of alternatives, a sign need not stand alone.
    """
    group: list[str] = []
    depth = 0
    for word in words:
        group.append(word)
        if depth or word[0] in "{}":
            depth += word.count("{") - word.count("}")
        if depth <= 0:
            yield group
            group, depth = [], 0
    if group:
        raise ValueError("'{' without its counterpart on the line")


def _unmarked(words: list[str]) -> list[str | None]:
    """Words without their marks, ``word;mark``; None for ``@``."""
    plain = (_MARKED.sub(r"\1", word).replace(r"\;", ";") for word in words)
    return [None if word == NO_WORD else word for word in plain]


def _parts(group: list[str]) -> list[str]:
    """The words of alternatives, and the signs ``{``, ``/`` and ``}``."""
    return [part for word in group for part in _PART.findall(word)]


def _branches(parts: Iterator[str]) -> list[list[str]]:
    """The alternatives up to the closing brace; those with alternatives inside are multiplied out.

    Raises ValueError where a brace or a word is missing.
    """
    around: list[tuple[list[list[str]], list[list[str]]]] = []
    branches: list[list[str]] = []
    begun: list[list[str]] = [[]]  # the alternative that is read: several after alternatives inside it
    for part in parts:
        if part == "{":
            around.append((branches, begun))
            branches, begun = [], [[]]
        elif part in "/}":
            if [] in begun:
                raise ValueError("an alternative without words; write @ for no word")
            branches, begun = branches + begun, [[]]
            if part == "}" and not around:
                return branches
            if part == "}":
                inside, (branches, begun) = branches, around.pop()
                if len(begun) * len(inside) > _MOST_BRANCHES:
                    raise ValueError(
                        f"more than {_MOST_BRANCHES} alternatives, with those inside of others multiplied out"
                    )
                begun = [begin + words for begin in begun for words in inside]
        else:
            for words in begun:
                words.append(part)
    raise ValueError("'{' without its counterpart on the line")


def _read(
    layout: Callable[[_Utterances, str, int, _Split], _Utterance | None],
    path: Path,
    columns: Columns,
    problems: Problems,
    optional: Collection[str] = (),
) -> Iterator[pa.RecordBatch]:
    utterances = _Utterances(problems, columns)
    for block in word_blocks(path, problems):
        for number, line in block.lines():
            if line.startswith(";;") or not line.strip(BLANKS):
                continue
            if found := layout(utterances, line, number, block.split):
                utterances.add(*found, number, line)
        yield from utterances.tokens.batches(columns, problems)
    utterances.end()


def _read_words(
    layout: Callable[[_Utterances, str, int, _Split], _Utterance | None],
    path: Path,
    columns: Columns,
    problems: Problems,
    optional: Collection[str] = (),
    marks: str = "",
) -> Iterator[pa.RecordBatch]:
    """Read a layout without comments, in which also an empty line may be an utterance; NIST's signs with ``marks``.

    If the folder of a text of Kaldi has times, its utterances are read in their order.
    """
    utterances = _Utterances(problems, columns)
    if marks and (marks != _NIST or not utterances.signs):
        said = "this input has no columns for alternatives" if marks == _NIST else f"unknown marks {shown(marks)}"
        problems.add(1, f"{said}; leave out marks={marks}" + (f" or write marks={_NIST}" if utterances.signs else ""))
        return
    add = utterances.add if marks else utterances.add_words
    folder = Folder(path, problems) if layout is _Utterances.kaldi else None
    later = list[tuple[str, float, int, Passage, list[str]]]()
    for block in word_blocks(path, problems):
        if block.first == 1:
            warn_of_names(block, folder is not None, problems)
        for number, line in block.lines():
            passage, words = layout(utterances, line, number, block.split) or (None, [])
            if passage and folder:
                passage = folder.complete(passage, number)
            if passage and folder and folder.has_times:
                later.append((passage.document, float(passage.segment_onset or 0), number, passage, words))
            elif passage:
                add(passage, words, number)
        yield from utterances.tokens.batches(columns, problems)
    for _, _, number, passage, words in sorted(later):
        add(passage, words, number)
    yield from utterances.tokens.batches(columns, problems)


def word_blocks(path: Path, problems: Problems) -> Iterator[Block]:
    """The blocks of a file of lines; none if it has other markup, which is reported."""
    for block in read_blocks(path, problems.source):
        if block.first == 1 and (markup := markup_of(block.data[:_BEGINNING].decode(errors="replace"))):
            problems.add(1, f"not lines of words, but {markup}", Code.WRONG_FORMAT)
            return
        yield block


def warn_of_names(block: Block, named: bool, problems: Problems) -> None:
    """Warn of lines that have a name where no name is read, and of lines that seem to have none where it is."""
    lines = [line.strip(BLANKS) for line in block.data[:_BEGINNING].decode(errors="replace").split("\n")]
    lines = [line for line in lines if line][: -1 if len(block.data) > _BEGINNING else None]
    firsts = [line.split()[0] for line in lines]
    if named:
        bare = [name for name in firsts if not (re.search("[0-9_-]", name) or _is_name(name))]
        if 2 * len(bare) > len(lines):
            which = "whose first word looks like no name of an utterance (plain lines are read by ::lines)"
            problems.leave_out("line", which, 1, len(bare), verdict="read as named by it")
        return
    name, looks = looks_like(lines)
    if lines and (name in (*_STRICT, "sgml") or (name == "kaldi" and all(map(_is_name, firsts)))):
        problems.leave_out(
            "line", f"that look like {looks}; ::{name} reads it", 1, len(lines), verdict="are read as plain lines"
        )


def _is_name(word: str) -> bool:
    """Whether a word looks like the name of an utterance and not like a word of a text."""
    return bool(re.search("[0-9]", word) and re.search("[_-]", word)) or bool(re.fullmatch(_AUDIO, word))


def looks_like(beginning: Iterable[str], given: str = "") -> tuple[str, str]:
    """The format that the first lines of a text look like, and what messages call it; no format for other markup.

    If a line is in the ``given`` format, the text has this format.
    """
    beginning = list(beginning)
    if markup := markup_of("\n".join(beginning)):
        return "", markup
    lines = [line.strip(BLANKS) for line in beginning]
    lines = [line for line in lines if line and not line.startswith(";;")]
    if not lines:
        return _LOOKS[-1][:2]
    for name, looks, pattern in _LOOKS:
        if name == given in _STRICT and any(re.fullmatch(pattern, line) for line in lines):
            return name, looks
    firsts = [line.split()[0] for line in lines]
    excluded = {
        # Lines of words repeat a first word; a file whose first words all look like names has an utterance twice.
        "kaldi": len({*firsts}) < len(lines) and not all(map(_is_name, firsts)),
        "sgml": lines[0][0] != "<" or all("</" not in line for line in lines),
    }
    return next(
        (name, looks)
        for name, looks, pattern in _LOOKS
        if not excluded.get(name) and all(re.fullmatch(pattern, line) for line in lines)
    )


def tell_format(
    problems: Problems, input: str, shown: str, path: Path | None, format: str, known: Collection[str]
) -> None:
    """If a text with problems looks like another of the ``known`` formats, say so first, once for each input."""
    faults = problems.kept
    if path is None or format not in _TEXTS or all(each.file != shown for each in faults):
        return
    for beginning in islice(read_blocks(path, shown), 1):
        name, looks = looks_like((line for _, line in beginning.lines()), format)
        if name in {*known} - {format} and (name, format) != ("lines", "kaldi") and faults[0].code != Code.WRONG_FORMAT:
            written = problems.source.replace("<stdin>", "-")
            said = f"read as {format}, but it looks like {looks}: write {input}={written}::{name}"
            problems.add(None, said, Code.WRONG_FORMAT)


FORMATS = (
    Format(
        name="trn",
        about="lines of 'words (utterance)'; the speaker is the utterance's name up to its first -, else its first _",
        suffixes=(".trn",),
        read=partial(_read, _Utterances.trn),
        quote=None,
        fills=("document", "segment", "speaker", *_WORDS),
        whole="document",
    ),
    Format(
        name="stm",
        about=f"lines of '{' '.join(_STM)} [<label>] words', fields separated by blanks",
        suffixes=(".stm",),
        read=partial(_read, _Utterances.stm),
        quote=None,
        fills=(*Passage._fields, *_WORDS),
        whole="document",
    ),
    Format(
        name="kaldi",
        about=(
            "lines of 'utterance words' (text of Kaldi). "
            "Next to a file named text, segments and utt2spk give recordings, times and speakers"
        ),
        suffixes=(".kaldi",),
        read=partial(_read_words, _Utterances.kaldi),
        quote=None,
        fills=("document", "segment", "segment_onset", "segment_offset", "speaker", *_WORDS),
        options=("marks",),
        whole="document",
    ),
    Format(
        name="lines",
        about="lines of words; the lines of both texts are paired by their numbers",
        suffixes=(".lines",),
        read=partial(_read_words, _Utterances.plain),
        quote=None,
        fills=("document", "segment", *_WORDS),
        options=("marks",),
        whole="document",
    ),
)
