"""Replaces secrets in what the plugin sends, before it is sent."""

from __future__ import annotations

import json
import os
import re
from urllib.parse import quote

_SECRET_NAME = re.compile(r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATE|(^|_)(KEYS?|PASS|PWD|AUTH)$", re.I)
_HEADER = re.compile(
    r"""(?:\b|(?<=\\[nrt]))((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=]\s*["']?)[^\s"'][^"'\r\n]*""", re.I
)
"""Also after a line break that is escaped, as in source code."""
_MIN_SECRET = 6
_MIN_NAMED = 4
"""Of what ``TAPEDECK_MASK`` names. Shorter values would mask ordinary words."""


class SecretMask:
    """Replaces values of variables that are named like secrets, and those that ``TAPEDECK_MASK`` names, one a line."""

    def __init__(self) -> None:
        names = [name for name in os.environ if _SECRET_NAME.search(name) and name not in ("PWD", "OLDPWD")]
        values = [line.strip() for name in names for line in os.environ[name].splitlines()]
        named = [line.strip() for line in os.environ.get("TAPEDECK_MASK", "").splitlines()]
        secrets = {value for value in values if len(value) >= _MIN_SECRET}
        secrets |= {value for value in named if len(value) >= _MIN_NAMED}
        spellings = secrets | {quote(value, safe="") for value in secrets}
        spellings |= {json.dumps(value, ensure_ascii=False)[1:-1] for value in secrets}
        # The longest first: it may contain another one.
        longest_first = sorted(spellings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def apply(self, text: str) -> str:
        """In lines of text, also the values of headers that carry credentials."""
        return _HEADER.sub(r"\1\2***", self.apply_to_name(text))

    def apply_to_name(self, text: str) -> str:
        """In the name of a test, where what looks like a header is none: ``Cookie: is refused``."""
        return text if self._pattern is None else self._pattern.sub("***", text)
