"""``answer.txt`` of the VoiceMOS Challenge: an utterance and its score, separated by a comma, on each line."""

from scorespec.plugin import Format, read_blocks, record_batch


def read(path, columns, problems, optional=()):
    for block in read_blocks(path, problems.source):
        lines, utterances, scores = [], [], []
        for line, text in block.lines():
            utterance, comma, score = text.strip().partition(",")
            if comma:
                lines.append(line)
                utterances.append(utterance.removesuffix(".wav"))
                scores.append(score)
            elif utterance:
                problems.add(line, f"expected utterance,score: {text!r}")
        texts = {"utterance": utterances, "score": scores}
        yield from record_batch(lines, columns, problems, texts=texts)


VOICEMOS = Format(
    name="voicemos",
    about="lines of 'utterance,score': the answers of the VoiceMOS Challenge",
    suffixes=(".txt",),
    read=read,
    fills=("utterance", "score"),
)
