"""Text without its encodings, so that a secret is found in any spelling.

It is found as it is, percent-encoded by any language, with escapes of JSON, encoded twice, or with a colour code in
it. The TypeScript client has the same rules: decoded-text.ts. A decoded text consists of the bytes of its UTF-8, one a
character, because an encoding may name each byte alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_ENCODED = re.compile(
    # A colour or another sequence of a terminal, and control characters but for tabs and line feeds.
    "\x1b\\[[0-?]{0,40}[ -/]{0,5}[@-~]|[\x00-\x08\x0b-\x1f\x7f]"
    # JSON within JSON doubles the backslashes each time.
    r"|\\+ud[89ab][0-9a-f]{2}\\+ud[c-f][0-9a-f]{2}|\\+u[0-9a-f]{4}|\\+[nrtbf]|\\+"
    # Encoded again, the percent sign is %25.
    r"|%(?:25)*[0-9a-f]{2}"
    # Forms write a space as a plus sign.
    "|\\+|[^\x00-\x7f]",
    re.I,
)
"""Each part is of limited length or does not begin within another one, so that it takes linear time."""
_MAY_BE_ENCODED = re.compile("[%\\\\+\x00-\x08\x0b-\x1f\x7f]")
_ESCAPES = {"n": "\n", "t": "\t"}
_LEFT_OUT = re.compile("[\x00-\x08\x0b-\x1f\x7f\\\\]")
"""Backslashes are left out, because their number depends on how often the text was encoded."""


class DecodedText:
    def __init__(self, original: str) -> None:
        self._original = original
        pieces: list[str] = []
        self._at: list[int] = []
        """Where each part begins in the decoded text."""
        self._parts: list[tuple[int, int, bool]] = []
        """Its beginning and end in the original, and whether it is the same there."""
        length = end = 0

        def add(decoded: str, start: int, end: int, is_same: bool) -> None:
            nonlocal length
            if decoded:
                self._at.append(length)
                self._parts.append((start, end, is_same))
                pieces.append(decoded)
                length += len(decoded)

        for found in _ENCODED.finditer(original):
            add(original[end : found.start()], end, found.start(), True)
            end = found.end()
            add(_decode(found[0]), found.start(), end, False)
        add(original[end:], end, len(original), True)
        self.text = "".join(pieces)

    def replace(self, pattern: re.Pattern[str], replacement: str) -> str:
        """The original, with a replacement for whatever decodes to a match."""
        pieces: list[str] = []
        end = 0
        for found in pattern.finditer(self.text):
            pieces += [self._original[end : self._start_of(found.start())], replacement]
            end = self._end_of(found.end())
        return "".join([*pieces, self._original[end:]])

    def _start_of(self, at: int) -> int:
        index = bisect_right(self._at, at) - 1
        start, _, is_same = self._parts[index]
        return start + at - self._at[index] if is_same else start

    def _end_of(self, at: int) -> int:
        index = bisect_right(self._at, at - 1) - 1
        start, end, is_same = self._parts[index]
        return start + at - self._at[index] if is_same else end


def may_be_encoded(text: str) -> bool:
    return _MAY_BE_ENCODED.search(text) is not None


def _decode(encoded: str) -> str:
    if encoded.endswith("\\"):
        return ""
    if encoded == "+":
        return " "
    plain = chr(int(encoded[-2:], 16)) if encoded.startswith("%") else _bytes_of(_unescaped(encoded))
    # A plus sign may be a space, and nobody knows which.
    return _LEFT_OUT.sub("", plain).replace("+", " ")


def _unescaped(escape: str) -> str:
    if not escape.startswith("\\"):
        return "" if escape.startswith("\x1b") else escape
    letters = re.split(r"\\+", escape.lower())[1:]
    if not letters[0].startswith("u"):
        return _ESCAPES.get(letters[0], "")
    units = "".join(chr(int(code[1:], 16)) for code in letters)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _bytes_of(text: str) -> str:
    return text.encode("utf-8", "replace").decode("latin-1")
