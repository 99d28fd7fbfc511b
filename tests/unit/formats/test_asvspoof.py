"""Keys and scores of ASVspoof, as the challenges of 2019 and 2021 publish them."""

from pathlib import Path

import pytest

from scorespec import score
from scorespec.errors import InputError

KEYS = {
    2019: "{speaker} {segment} - {attack} {target}\n",
    2021: "{speaker} {segment} alaw ita_tx {attack} {target} notrim eval\n",
}
SCORES = {2: "{segment} {score}\n", 4: "{segment} {attack} {target} {score}\n"}
TRIALS = [
    {"speaker": "LA_0009", "segment": "LA_E_1", "attack": "A07", "target": "spoof", "score": "-1.5"},
    {"speaker": "LA_0009", "segment": "LA_E_2", "attack": "-", "target": "bonafide", "score": "2.0"},
    {"speaker": "LA_0009", "segment": "LA_E_3", "attack": "A08", "target": "spoof", "score": "2.5"},
    {"speaker": "LA_0010", "segment": "LA_E_4", "attack": "-", "target": "bonafide", "score": "1.0"},
]


def written(path: Path, line: str, trials: list[dict[str, str]]) -> Path:
    path.write_text("".join(line.format(**each) for each in trials))
    return path


@pytest.mark.parametrize("year", KEYS)
@pytest.mark.parametrize("fields", SCORES)
def test_the_rate_of_each_attack(tmp_path: Path, year: int, fields: int) -> None:
    key = written(tmp_path / "key.txt", KEYS[year], TRIALS)
    scores = written(tmp_path / "scores.txt", SCORES[fields], TRIALS)
    run = score("verification", trials=key, scores=scores, metrics=["eer"], by="attack")
    assert [run.value("eer"), run.value("eer", attack="A07"), run.value("eer", attack="A08")] == [0.5, 0, 1]


def test_scores_beyond_the_key_are_refused_or_dropped(tmp_path: Path) -> None:
    key = written(tmp_path / "key.txt", KEYS[2021], TRIALS[:3])
    scores = written(tmp_path / "scores.txt", SCORES[2], TRIALS)
    given = {"trials": key, "scores": scores, "metrics": ["eer"]}
    with pytest.raises(InputError, match=r"scores.txt:4: unknown trial of model - and segment LA_E_4"):
        score("verification", **given)
    assert score("verification", **given, on_bad_row="drop").value("eer") == 0.5


def test_another_number_of_fields_is_refused(tmp_path: Path) -> None:
    key = written(tmp_path / "key.txt", "{speaker} {segment} {target}\n", TRIALS)
    with pytest.raises(InputError, match=r"key.txt:1: 3 fields; a key of ASVspoof has 5 \(2019\) or 8 \(2021\)"):
        score("verification", trials=f"{key}::asvspoof", scores=f"{key}::asvspoof_scores", metrics=["eer"])
