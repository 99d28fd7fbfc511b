"""Bad input: every problem of every file with its line, exit code 1, nothing on standard output."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

HEAD = "Class 0\nalpha_sa1 0.43 0.67\n"  # two good lines; the bad one is the third


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nofile 0.4 0.6", "unknown file nofile: no phone and no word is in it"),
        ("alpha_sa1 3.45 3.20", "offset 3.20 is not after onset 3.45"),
        ("alpha_sa1 -5.0 3.20", "onset -5.0 and offset 3.20 must be times of a recording, 0 to 10000000 s"),
        ("alpha_sa1 1e10 2e10", "onset 1e10 and offset 2e10 must be times of a recording, 0 to 10000000 s"),
        ("alpha_sa1 3.450 3.45", "offset 3.45 is not after onset 3.450"),
        ("alpha_sa1 1e1 0.5", "offset 0.5 is not after onset 1e1"),
        ("alpha_sa1 x 3.20", "onset is not a number: 'x'"),
        ("alpha_sa1 0.4 0,6", "offset is not a number: '0,6'"),
        ("alpha_sa1 nan 3.20", "onset is nan; it must be a finite number"),
        ("alpha_sa1 0.4 inf", "offset is inf; it must be a finite number"),
        ("alpha_sa1 -Infinity 1", "onset is -Infinity; it must be a finite number"),
        ("alpha_sa1 0.4", "expected 3 columns (file onset offset), found 2: 'alpha_sa1 0.4'"),
        ("alpha_sa1 0.4 0.6 x", "expected 3 columns (file onset offset), found 4: 'alpha_sa1 0.4 0.6 x'"),
        ("\nClass 0\nalpha_sa1 0.4 0.6", None),
    ],
)
def test_bad_line_of_fragments(score, write, line, message):
    write("sub.class", f"{HEAD}{line}\n")
    expected = f"sub.class:3: {message}"
    if message is None:
        expected = "sub.class:4: cluster '0' begins a second time; it began at line 1"
    score("fragments=sub.class").refused(expected)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("alpha_sa1 3.45 3.20 a", "offset 3.20 is not after onset 3.45"),
        (
            "alpha_sa1 0.43 0.53",
            "expected 4 columns (file onset offset label), found 3: 'alpha_sa1 0.43 0.53'",
        ),
        ("alpha_sa1 a 0.53 a", "onset is not a number: 'a'"),
    ],
)
@pytest.mark.parametrize("name", ["phones", "words"])
def test_bad_line_of_gold(score, folder, name, line, message):
    suffix = {"phones": "phn", "words": "wrd"}[name]
    bad = folder / f"bad.{suffix}"
    bad.write_text((folder / f"alpha.{suffix}").read_text() + line + "\n")
    number = len(bad.read_text().splitlines())
    score(f"{name}=bad.{suffix}").refused(f"bad.{suffix}:{number}: {message}")


def test_enclosed_phone(score, folder):
    text = (folder / "alpha.phn").read_text()
    (folder / "bad.phn").write_text("alpha_sa1 0.440 0.530 x\n" + text)
    score("phones=bad.phn").refused_with(
        "bad.phn:1: phone x (0.440 to 0.530) is enclosed by another phone of alpha_sa1, or encloses one"
    )


def test_line_numbers_reach_far(score, write):
    lines = ["Class 0", *["alpha_sa1 0.43 0.67"] * 416, "alpha_sa1 3.45 3.20"]
    write("sub.class", "\n".join(lines))
    score("fragments=sub.class").refused("sub.class:418: offset 3.20 is not after onset 3.45")


# -- several problems ------------------------------------------------------------------------------

BAD = "Class 0\nnofile 0.43 0.67\nalpha_sa1 3.45 3.20\nalpha_sa1 x 1\nalpha_sa1 1\n"
TOLD = [
    "sub.class:2: unknown file nofile: no phone and no word is in it",
    "sub.class:3: offset 3.20 is not after onset 3.45",
    "sub.class:4: onset is not a number: 'x'",
    "sub.class:5: expected 3 columns (file onset offset), found 2: 'alpha_sa1 1'",
]


def test_problems_of_a_file_are_told_together(score, write):
    write("sub.class", BAD)
    score("fragments=sub.class").refused("\n".join(TOLD))


def test_problems_of_several_files_are_told_together(score, folder, write):
    write("sub.class", BAD)
    write("bad.wrd", "alpha_sa1 1.5 1.25 w\n")
    result = score("fragments=sub.class", "words=bad.wrd")
    result.refused("\n".join(["bad.wrd:1: offset 1.25 is not after onset 1.5", *TOLD]))


def test_first_three_are_shown_and_the_rest_counted(score, write):
    write("sub.class", "Class 0\n" + "alpha_sa1 2 1\n" * 1500)
    shown = [f"sub.class:{line}: offset 1 is not after onset 2" for line in range(2, 5)]
    score("fragments=sub.class").refused("\n".join([*shown, "sub.class: and 1,497 more problems"]))


def test_first_three_of_readers_and_of_checks_in_order(score, write):
    write("sub.class", "Class 0\n" + "alpha_sa1 2 1\nalpha_sa1 x 1\n" * 30)
    lines = score("fragments=sub.class").err.splitlines()
    assert [int(line.split(":")[1]) for line in lines[:-1]] == list(range(2, 8))
    assert lines[-1] == "sub.class: and 54 more problems"


# -- without rows ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "file"), [("phones", "empty.phn"), ("words", "empty.wrd"), ("fragments", "empty.class")]
)
@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
def test_no_rows(score, write, name, file, text):
    write(file, text)
    score(f"{name}={file}").refused(f"{file}: no rows; {name} needs at least 1")


def test_classes_without_members_are_no_rows(score, write):
    write("sub.class", "Class 0\n\nClass 1\n")
    score("fragments=sub.class").refused("sub.class: no rows; fragments needs at least 1")


def test_rows_without_pairs_or_hits_are_scored_with_null_and_notes(score, write):
    # One fragment of less than half of one phone: no transcription, so no pairs and nothing found.
    write("sub.class", "Class 0\nalpha_sa1 0.431 0.432\n")
    result = score("fragments=sub.class", "--format", "json")
    warning = "1 of 1 distinct fragments have no phone in their transcription; only the metric sizes counts them"
    assert (result.code, result.err) == (0, f"warning: {warning}\n")
    scores = {(row["metric"], row["component"]): row for row in json.loads(result.out)["scores"]}
    assert scores["ned", "pairs"]["value"] == 0
    assert scores["coverage", "value"]["value"] == 0
    undefined = [("ned", "value"), ("grouping", "precision"), ("token", "precision"), ("boundary", "fscore")]
    for key in undefined:
        assert scores[key]["value"] is None
        assert scores[key]["note"], key
    assert scores["token", "recall"]["value"] == 0


# -- files that cannot be read ---------------------------------------------------------------------


def test_missing_file(score):
    score("fragments=nothere.class").refused("nothere.class: no such file")


def test_broken_link(score, folder):
    (folder / "link.class").symlink_to("nowhere")
    score("fragments=link.class").refused("link.class: no such file")


@pytest.mark.parametrize("name", ["some.class", "some.csv"])
def test_folder_as_input(score, folder, name):
    (folder / name).mkdir()
    message = "there is no Parquet, CSV, TSV or JSON lines file in this folder or below it"
    score(f"fragments={name}").refused(f"error: {name}: {message}", code=2)


def test_file_without_permission(score, monkeypatch, folder):
    # The mode of a file does not stop root, so that the refusal itself is put in its place.
    opened = Path.open

    def refuse(self, *arguments, **options):
        if self.name == "secret.class":
            raise PermissionError(13, "Permission denied")
        return opened(self, *arguments, **options)

    (folder / "secret.class").write_text(HEAD)
    monkeypatch.setattr(Path, "open", refuse)
    score("fragments=secret.class").refused("secret.class: cannot be read: permission denied")


def test_binary_file(score, folder):
    (folder / "sub.class").write_bytes(b"Class 0\nalpha\0sa1 0.4 0.5\n")
    score("fragments=sub.class").refused(
        "sub.class: not a text file (byte 0x00 at line 2); is it binary, or compressed without .gz?"
    )


def test_latin_1(score, folder):
    (folder / "sub.class").write_bytes("Class 0\nalphä 0.4 0.5\n".encode("latin-1"))
    score("fragments=sub.class").refused("sub.class: line 2 is not UTF-8 text")


def test_not_gzip(score, write):
    write("sub.class.gz", HEAD)
    score("fragments=sub.class.gz").refused("sub.class.gz: is not gzip data, though its name ends in .gz")


def test_cut_gzip(score, folder):
    (folder / "sub.class.gz").write_bytes(gzip.compress(HEAD.encode())[:-6])
    score("fragments=sub.class.gz").refused("sub.class.gz: ends in the middle of its gzip data: is it complete?")


def test_parquet_that_is_none(score, write):
    write("sub.parquet", HEAD)
    score("fragments=sub.parquet").refused_with("sub.parquet: cannot be read: ")


def test_bad_input_leaves_only_the_message(process, folder, write):
    write("sub.class", BAD)
    process("score", "zerospeech2017", "phones=alpha.phn", "words=alpha.wrd", "fragments=sub.class").refused(
        "\n".join(TOLD)
    )
