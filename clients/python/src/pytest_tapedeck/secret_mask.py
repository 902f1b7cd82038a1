"""Replaces secrets in what the plugin sends, before it is sent."""

from __future__ import annotations

import os
import re
from urllib.parse import quote

_SECRET_NAME = re.compile(r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATE|(^|_)(KEYS?|PASS|PWD|AUTH)$", re.I)
_HEADER = re.compile(r"""\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=]\s*["']?)[^\s"'][^"'\r\n]*""", re.I)
_MIN_SECRET = 6


class SecretMask:
    """Replaces values of variables that are named like secrets, headers with credentials, and ``TAPEDECK_MASK``."""

    def __init__(self) -> None:
        names = [name for name in os.environ if _SECRET_NAME.search(name) and name not in ("PWD", "OLDPWD")]
        values = [line.strip() for name in names for line in os.environ[name].splitlines()]
        named = [line.strip() for line in os.environ.get("TAPEDECK_MASK", "").splitlines()]
        secrets = {value for value in values if len(value) >= _MIN_SECRET} | {value for value in named if value}
        spellings = secrets | {quote(value, safe="") for value in secrets}
        # The longest first: it may contain another one.
        longest_first = sorted(spellings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def apply(self, text: str) -> str:
        masked = text if self._pattern is None else self._pattern.sub("***", text)
        return _HEADER.sub(r"\1\2***", masked)
