"""Secrets that are known by their form, whatever their value.

Of headers that carry credentials, of parameters and passwords in addresses, JSON Web Tokens, and paths of webhooks. The
TypeScript client has the same rules: secret-forms.ts. Each pattern takes time in proportion to the text's length, also
if the text is hostile: what repeats without a limit cannot begin within itself.
"""

from __future__ import annotations

import re

REPLACEMENT = "***"

_SECRET_NAME = re.compile(r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATE|(^|_)(KEYS?|PASS|PWD|AUTH)$", re.I)
_SIGNATURE = re.compile(r"^(x_amz_)?sig(nature)?$", re.I)
"""Parameters of signed addresses."""

_HEADER_NAME = r"(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token|secret))"
_COLOUR = r"\x1b\[[\d;:]{0,20}m"
_QUOTE = r"""\\*["']"""
"""Quotes with backslashes, as in JSON that is within JSON."""
_QUOTED = r"""(\\*)(["'])(?:[^"'\\\r\n]|\\+(?!["'\\])|(?!\2\3)\\*["'])+"""
"""Text in quotes, up to one with as many backslashes (group 2) as the one (group 3) that began it."""
_UNQUOTED = r"""[^\s"'\\](?:=\\*"[^"\r\n]*"|[^"'\\\r\n]|\\+(?!["'\\]))*"""
"""Up to the end of the line, or to the quote that the header is in. A cookie's own value may be quoted."""
_HEADER = re.compile(
    rf"((?:{_COLOUR}|\b|(?<=\\[nrt])){_HEADER_NAME}(?:{_COLOUR}){{0,4}}(?:{_QUOTE})?\s*[:=]\s*(?:{_COLOUR}){{0,4}})"
    rf"(?:{_QUOTED}|{_UNQUOTED})",
    re.I | re.A,
)
"""``Cookie: a=b``, ``"Cookie": "a=b"`` and ``Cookie=a``, also after a line break that is escaped, and in colour."""
_HEADER_ENTRY = re.compile(
    rf"(\b(?:name|key)(?:{_QUOTE})?\s*:\s*{_QUOTE}{_HEADER_NAME}{_QUOTE}\s*,\s*(?:{_QUOTE})?value(?:{_QUOTE})?\s*:\s*)"
    rf"{_QUOTED}",
    re.I | re.A,
)
"""An entry of a list of headers: ``{"name":"Cookie","value":"a=b"}``."""

_PARAMETERS = (
    re.compile(
        r"""([?&;#]|\\u0026)([^?&;#=\s"'<>\\]{1,100})(=|\\+u003d)((?:[^&;#\s"'<>\\]|\\+(?!u0026|["'\\]))+)""",
        re.I,
    ),
    re.compile(r"""(%3f|%26|%23)([\w.~-]{1,100})(%3d)((?:(?!%26|%23)[^&;#\s"'<>])+)""", re.I | re.A),
)
"""The name and the value of a parameter in an address, also in JSON that escapes ``&`` and ``=``, and where the whole
address is the value of another one."""
_PASSWORDS = (
    re.compile(r"""((?://|\\/\\{1,7}/)[^/?#\s:@"'<>\\]*:)[^/?#\s@"'<>]+(?=@)"""),
    re.compile(r"""(%2f%2f(?:(?!%2f|%3a|%40)[^\s"'<>/])*%3a)(?:(?!%2f|%40)[^\s"'<>/])+(?=%40)""", re.I),
)
"""The password in ``https://name:password@host``, also in JSON that escapes slashes, and percent-encoded."""
_SLASH = r"(?:\\{0,7}/|%(?:25){0,3}2f)"
_WEBHOOK = re.compile(
    rf"((?:hooks\.slack(?:-gov)?\.com{_SLASH}(?:services|workflows|triggers)"
    rf"|discord(?:app)?\.com{_SLASH}api(?:{_SLASH}v\d{{1,2}})?{_SLASH}webhooks"
    rf"""|webhook\.office\.com{_SLASH}webhookb2){_SLASH})(?:\\+/|[^\s"'<>\\?#&;,)])+""",
    re.I | re.A,
)
"""Webhooks of Slack, Discord and Teams, whose paths are secrets."""
_JWT = re.compile(r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+){0,3}", re.A)
"""A JSON Web Token, which begins with ``{"`` in Base64."""


def is_secret_name(name: str) -> bool:
    """Whether a variable of this name has a secret. PWD is where a shell is."""
    return _SECRET_NAME.search(name) is not None and name not in ("PWD", "OLDPWD")


def mask_forms(text: str) -> str:
    for parameters in _PARAMETERS:
        text = parameters.sub(_mask_parameter, text)
    for pattern in (*_PASSWORDS, _WEBHOOK):
        text = pattern.sub(rf"\1{REPLACEMENT}", text)
    text = _JWT.sub(REPLACEMENT, text)
    for header in (_HEADER_ENTRY, _HEADER):
        text = header.sub(rf"\1\2\3{REPLACEMENT}", text)
    return text


def _mask_parameter(found: re.Match[str]) -> str:
    before, name, equals, _ = found.groups()
    return f"{before}{name}{equals}{REPLACEMENT}" if _is_secret_parameter(name) else found[0]


def _is_secret_parameter(name: str) -> bool:
    """``access-token``, ``user[password]`` and ``apiKey`` are named like variables."""
    plain = re.sub(r"%5b|%5d|\W", "_", name, flags=re.I | re.A).rstrip("_")
    return is_secret_name(plain) or _SIGNATURE.search(plain) is not None
