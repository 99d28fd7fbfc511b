"""``.uem``: the regions of each recording that are scored, one a line: recording, channel, onset, offset."""

from scorespec.plugin import Format, quote_fields, read_fields, record_batch

NAMES = ("doc", "channel", "onset", "offset")


def read(path, columns, problems, optional=()):
    for fields in read_fields(path, problems.source):
        fields = fields.without_remarks(b";;")
        at = fields.of_length(NAMES, fields.count > 0, problems)
        yield from record_batch(fields.line[at], columns, problems, texts=fields.columns(at, NAMES))


def quote(path, columns, lines):
    return quote_fields(path, NAMES, lines)


UEM = Format(
    name="regions",
    about="lines of 'recording channel onset offset': the regions that are scored; ;; begins a comment",
    suffixes=(".uem",),
    read=read,
    quote=quote,
    fills=NAMES,
)
