"""Where the queries are in the reference, and what lies inside the audio."""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from .rows import Detection, Excerpt, Occurrence, Query, Token, Turn, seconds

NEVER_FIRST = ("fp", "frag")


def follows(token: Token, after: Token, gap: Decimal, nist: bool) -> bool:
    """May `after` continue an occurrence that `token` is in? At most `gap` seconds apart."""
    if nist:
        return float(f"{float(after.tbeg) - seconds(token.tbeg, token.dur):.4f}") <= float(gap)
    return after.tbeg - (token.tbeg + token.dur) <= gap


def same_word(word: str, token: Token, first: bool, lowercase: bool) -> bool:
    """The first word is compared as written unless the list says lowercase; the others never are (F4DE)."""
    if first and not lowercase:
        return word == token.text
    return word.lower() == token.text.lower()


def find(
    queries: Iterable[Query],
    tokens: Iterable[Token],
    *,
    gap: Decimal = Decimal("0.5"),
    nist: bool = False,
    lowercase: bool = True,
) -> list[Occurrence]:
    """Runs of consecutive tokens of one speaker that spell a query, in whatever order the tokens come.

    Every token takes part in every run that it can: "lake lake lake" has two occurrences of "lake lake". No
    token may stand between two words, and fp and frag tokens never begin an occurrence.
    """
    streams: dict[tuple[str, str, str], list[Token]] = defaultdict(list)
    for token in tokens:
        streams[token.doc, token.channel, token.speaker].append(token)
    found = []
    for query in queries:
        words = query.text.split()
        for stream in streams.values():
            ordered = sorted(stream, key=lambda t: (t.tbeg, t.dur))
            for start in range(len(ordered) - len(words) + 1):
                run = ordered[start : start + len(words)]
                if (
                    run[0].kind not in NEVER_FIRST
                    and all(same_word(words[i], run[i], i == 0, lowercase) for i in range(len(words)))
                    and all(follows(run[i], run[i + 1], gap, nist) for i in range(len(run) - 1))
                ):
                    first, last = run[0], run[-1]
                    found.append(
                        Occurrence(
                            query.query,
                            first.doc,
                            first.channel,
                            first.tbeg,
                            last.tbeg + last.dur,
                            first.tbeg + first.dur,
                        )
                    )
    return found


def within(doc: str, channel: str, tbeg: Decimal, end: Decimal, audio: Iterable[Excerpt], nist: bool) -> bool:
    """Does a span lie wholly in one excerpt of its document and channel?"""
    for e in audio:
        if (doc, channel) == (e.doc, e.channel):
            if nist:
                begins = float(tbeg) >= float(e.tbeg)
                ends = float(f"{float(end):.4f}") <= seconds(e.tbeg, e.dur)
            else:
                begins, ends = tbeg >= e.tbeg, end <= e.tbeg + e.dur
            if begins and ends:
                return True
    return False


def occurrence_inside(o: Occurrence, audio: Iterable[Excerpt], nist: bool = False) -> bool:
    """With inside_audio=whole, as in F4DE: only the first word has to lie inside."""
    return within(o.doc, o.channel, o.tbeg, o.first_end, audio, nist)


def detection_inside(d: Detection, audio: Iterable[Excerpt], nist: bool = False) -> bool:
    """With inside_audio=whole, as in F4DE: the whole detection has to lie inside one excerpt."""
    return within(d.doc, d.channel, d.tbeg, d.tbeg + d.dur, audio, nist)


def holding(row: Detection | Occurrence, audio: Iterable[Excerpt]) -> list[Excerpt]:
    """The excerpts to which the midpoint of a detection or occurrence belongs, both ends included.

    The end of an excerpt where another one begins belongs to the latter.
    """
    twice = 2 * row.tbeg + row.dur if isinstance(row, Detection) else row.tbeg + row.end
    of_channel = [e for e in audio if (e.doc, e.channel) == (row.doc, row.channel)]
    return [
        e
        for e in of_channel
        if 2 * e.tbeg <= twice <= 2 * (e.tbeg + e.dur)
        and not (twice == 2 * (e.tbeg + e.dur) and any(2 * other.tbeg == twice and other.dur for other in of_channel))
    ]


def duration(audio: Iterable[Excerpt]) -> Fraction:
    """T_audio of the document: what the excerpts of every document and channel cover, each moment once."""
    total, ends = Fraction(0), dict[tuple[str, str], Decimal]()
    for e in sorted(audio, key=lambda e: e.tbeg):
        end, covered = e.tbeg + e.dur, ends.get((e.doc, e.channel), e.tbeg)
        total += Fraction(max(end - max(e.tbeg, covered), Decimal(0)))
        ends[e.doc, e.channel] = max(end, covered)
    return total


def nist_duration(audio: Iterable[Excerpt]) -> Fraction:
    """T_audio of F4DE: in each document, its channels ignored, an excerpt ends where the next one begins.

    So what two channels share counts once (SETTLED: multiword has 170 s, not 270); splitcts counts half.
    OPEN: splitcts, and an excerpt inside another one, which cuts the outer one short.
    """
    by_doc: dict[str, list[Excerpt]] = defaultdict(list)
    for e in audio:
        by_doc[e.doc].append(e)
    total = Fraction(0)
    for excerpts in by_doc.values():
        ordered = sorted(excerpts, key=lambda e: (e.tbeg, e.tbeg + e.dur))
        for e, after in zip(ordered, [*ordered[1:], None], strict=True):
            end = e.tbeg + e.dur if after is None else min(e.tbeg + e.dur, after.tbeg)
            total += Fraction(end - e.tbeg) / (2 if e.source_type == "splitcts" else 1)
    return total


def segments(turns: Iterable[Turn], audio: Iterable[Excerpt]) -> list[Turn]:
    """The trials of F4DE's segment mode, excerpt by excerpt.

    Turns wholly inside an excerpt, overlapping ones merged (those that only touch are not), and the gaps
    between them, before the first and after the last. An excerpt without any turn is one segment.
    """
    turns = list(turns)
    found = []
    for e in audio:
        here = [t for t in turns if (t.doc, t.channel) == (e.doc, e.channel)]
        end = e.tbeg + e.dur
        speech: list[tuple[Decimal, Decimal]] = []
        for t in sorted(here, key=lambda t: (t.tbeg, t.dur)):
            if t.tbeg < e.tbeg or t.tbeg + t.dur > end:
                continue
            if speech and t.tbeg < speech[-1][1]:
                speech[-1] = (speech[-1][0], max(speech[-1][1], t.tbeg + t.dur))
            else:
                speech.append((t.tbeg, t.tbeg + t.dur))
        at = e.tbeg
        for begin, stop in [*speech, (end, end)]:
            if begin > at:
                found.append(Turn(e.doc, e.channel, at, begin - at))
            if stop > begin:
                found.append(Turn(e.doc, e.channel, begin, stop - begin))
            at = stop
    return found
