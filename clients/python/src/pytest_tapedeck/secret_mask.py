"""Replaces secrets in what the plugin sends, before it is sent.

The TypeScript client has the same rules: test/vectors/computed.
"""

from __future__ import annotations

import json
import os
import re
from urllib.parse import quote

from ._decoded_text import DecodedText, may_be_encoded
from ._secret_forms import REPLACEMENT, is_secret_name, mask_forms

_MIN_SECRET = 6
_MIN_NAMED = 4
"""Minimum length of a value that ``TAPEDECK_MASK`` names. Shorter values would mask ordinary words."""


class SecretMask:
    """Replaces values of variables that are named like secrets, and those that ``TAPEDECK_MASK`` names, one a line."""

    def __init__(self) -> None:
        names = filter(is_secret_name, os.environ)
        values = [line.strip() for name in names for line in os.environ[name].splitlines()]
        named = [line.strip() for line in os.environ.get("TAPEDECK_MASK", "").splitlines()]
        secrets = {value for value in values if len(value) >= _MIN_SECRET}
        secrets |= {value for value in named if len(value) >= _MIN_NAMED}
        spellings = secrets | {quote(value, safe="") for value in secrets}
        spellings |= {json.dumps(value, ensure_ascii=False)[1:-1] for value in secrets}
        self._pattern = _pattern_of(spellings)
        # A value that is short without its encoding would mask ordinary words.
        decoded = {DecodedText(value).text for value in secrets}
        self._decoded_pattern = _pattern_of({value for value in decoded if len(value) >= _MIN_NAMED})

    def apply(self, text: str) -> str:
        """In lines of text, also what looks like a secret: headers that carry credentials, passwords in addresses."""
        return mask_forms(self.apply_to_name(text))

    def apply_to_name(self, text: str) -> str:
        """In the name of a test, where what looks like a header is none: ``Cookie: is refused``.

        Nor is an address masked there: tests that differ by it alone would become one.
        """
        if self._pattern is None:
            return text
        masked = self._pattern.sub(REPLACEMENT, text)
        if self._decoded_pattern is None or not may_be_encoded(masked):
            return masked
        return DecodedText(masked).replace(self._decoded_pattern, REPLACEMENT)


def _pattern_of(values: set[str]) -> re.Pattern[str] | None:
    # The longest first: it may contain another one.
    longest_first = sorted(values, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
