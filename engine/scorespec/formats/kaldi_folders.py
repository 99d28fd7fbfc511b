"""The files next to the text in a Kaldi or ESPnet folder: ``segments`` with recordings and times, and ``utt2spk``."""

from __future__ import annotations

from pathlib import Path

from scorespec.errors import InputError, Problems, bad_input
from scorespec.formats.format import BLANKS, fault_of_time, read_blocks, shown
from scorespec.formats.token_rows import Passage

_TO_THE_END = -1.0  # the end of a segment that ends with its recording

_Rows = dict[str, tuple[int, list[str]]]  # the line and the fields of each utterance


class Folder:
    """What the other files of a folder say of the utterances in its file ``text``; nothing for a text of another name.

    Raises InputError for a file that cannot be read, or that has a line at fault.
    """

    def __init__(self, text: Path, problems: Problems) -> None:
        self._text, self._problems = text, problems
        self._segments = self._read("segments", "utterance recording start end")
        self._speakers = self._read("utt2spk", "utterance speaker")

    @property
    def has_times(self) -> bool:
        """Whether the folder has the times of its utterances, so that they can be sorted."""
        return self._segments is not None

    def complete(self, passage: Passage, line: int) -> Passage | None:
        """An utterance with its recording, times and speaker; None, and a problem, if a file lacks the utterance."""
        name = str(passage.segment)
        for file, rows in (("segments", self._segments), ("utt2spk", self._speakers)):
            if rows is not None and name not in rows:
                self._problems.add(line, f"utterance {name} is not in {self._shown(file)}")
                return None
        if self._speakers is not None:
            passage = passage._replace(speaker=self._speakers[name][1][0])
        if self._segments is None:
            return passage
        at, (recording, begin, end) = self._segments[name]
        for time in (begin, end):
            if fault := fault_of_time("time", time):
                raise self._fault("segments", at, fault[0])
        ends = None if float(end) == _TO_THE_END else end
        return passage._replace(document=recording, segment_onset=begin, segment_offset=ends)

    def _read(self, name: str, layout: str) -> _Rows | None:
        path, rows, count = self._text.with_name(name), _Rows(), len(layout.split())
        if self._text.name != "text" or not path.is_file():
            return None
        for block in read_blocks(path, self._shown(name)):
            for number, line in block.lines():
                fields = block.split(line)
                if len(fields) not in (0, count):
                    raise self._fault(name, number, f"expected {layout!r}: {shown(line.strip(BLANKS))}")
                if fields:
                    rows[fields[0]] = number, fields[1:]
        return rows

    def _shown(self, name: str) -> str:
        return str(Path(self._problems.source).with_name(name))

    def _fault(self, name: str, line: int, said: str) -> InputError:
        return bad_input(self._shown(name), said, line)
