"""Replaces secrets in what the plugin sends, before it is sent.

The TypeScript client has the same rules: test/vectors/computed.
"""

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
_SIGNATURE = re.compile(r"^(x_amz_)?sig(nature)?$", re.I)
"""Of signed addresses."""
_PARAMETERS = (
    re.compile(r"""([?&;#])([^?&;#=\s"'<>]{1,100})(=)([^&;#\s"'<>]+)"""),
    re.compile(r"""(%3f|%26|%23)([\w.~-]{1,100})(%3d)((?:(?!%26|%23)[^&;#\s"'<>])+)""", re.I | re.A),
)
"""The name and the value of a parameter in an address, also where the whole address is the value of another one."""
_PASSWORD = re.compile(r"""(//[^/?#\s:@"'<>]*:)[^/?#\s@"'<>]+(?=@)""")
"""The password in ``https://name:password@host``."""
_MIN_SECRET = 6
_MIN_NAMED = 4
"""Of what ``TAPEDECK_MASK`` names. Shorter values would mask ordinary words."""


class SecretMask:
    """Replaces values of variables that are named like secrets, and those that ``TAPEDECK_MASK`` names, one a line."""

    def __init__(self) -> None:
        names = filter(_is_secret_name, os.environ)
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
        """In lines of text, also headers that carry credentials, and in addresses passwords and parameters."""
        return _HEADER.sub(r"\1\2***", _mask_addresses(self.apply_to_name(text)))

    def apply_to_name(self, text: str) -> str:
        """In the name of a test, where what looks like a header is none: ``Cookie: is refused``.

        Nor is an address masked there: tests that differ by it alone would become one.
        """
        return text if self._pattern is None else self._pattern.sub("***", text)


def _is_secret_name(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None and name not in ("PWD", "OLDPWD")


def _is_secret_parameter(name: str) -> bool:
    """``access-token``, ``user[password]`` and ``apiKey`` are named like variables."""
    plain = re.sub(r"%5b|%5d|\W", "_", name, flags=re.I | re.A).rstrip("_")
    return _is_secret_name(plain) or _SIGNATURE.search(plain) is not None


def _mask_parameter(found: re.Match[str]) -> str:
    before, name, equals, _ = found.groups()
    return f"{before}{name}{equals}***" if _is_secret_parameter(name) else found[0]


def _mask_addresses(text: str) -> str:
    for parameters in _PARAMETERS:
        text = parameters.sub(_mask_parameter, text)
    return _PASSWORD.sub(r"\1***", text)
