"""Finds ``TAPEDECK_*`` variables that nothing reads and that are probably misspelled.

The TypeScript client does the same: test/vectors/computed/known-variables.json.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

_PREFIX = "TAPEDECK_"
# Begins names that are misspelled before their first underscore, such as TAPEDECKURL.
_LOOSE_PREFIX = re.compile(r"TAPE_?DECK_?", re.IGNORECASE)
# The project's own tests have variables with this prefix.
_TEST_PREFIX = "TAPEDECK_TEST_"
# Variables that Kubernetes sets in every pod for a Service whose name begins with "tapedeck".
_SERVICE_LINK = re.compile(
    r"TAPEDECK(\w+)?_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)", re.ASCII
)
# Also one of them, if its value is such a URL.
_SERVICE_PORT = re.compile(r"TAPEDECK(\w+)?_PORT", re.ASCII)
_SERVICE_URL = re.compile(r"(tcp|udp|sctp)://")

KNOWN_VARIABLES = (
    "DISPLAY",
    "HOST",
    "PORT",
    "SE_GRID_PASSWORD",
    "SE_GRID_URL",
    "SE_GRID_USERNAME",
    "TAPEDECK_ALLOWED_ORIGINS",
    "TAPEDECK_API_KEY",
    "TAPEDECK_AUTO_RECORD",
    "TAPEDECK_AUTO_UPGRADE",
    "TAPEDECK_BOOTSTRAP_API_KEY",
    "TAPEDECK_BOOTSTRAP_EMAIL",
    "TAPEDECK_BOOTSTRAP_PASSWORD",
    "TAPEDECK_BOOTSTRAP_RUNNER_TOKEN",
    "TAPEDECK_BROWSER_LOG",
    "TAPEDECK_BUFFER",
    "TAPEDECK_DATABASE_DIRECT_URL",
    "TAPEDECK_DATABASE_URL",
    "TAPEDECK_DATA_DIR",
    "TAPEDECK_DISK_RESERVE_MB",
    "TAPEDECK_DISPLAY_ALLOW",
    "TAPEDECK_DRAIN_SECONDS",
    "TAPEDECK_EMBED_ORIGINS",
    "TAPEDECK_EPHEMERAL",
    "TAPEDECK_FFMPEG",
    "TAPEDECK_FIRST_SESSION_TIMEOUT",
    "TAPEDECK_GRID_ALLOW",
    "TAPEDECK_GRID_NODE",
    "TAPEDECK_INTERNAL_URL",
    "TAPEDECK_JOB_ID",
    "TAPEDECK_JOB_NAME",
    "TAPEDECK_JOB_URL",
    "TAPEDECK_KEEP",
    "TAPEDECK_LABELS",
    "TAPEDECK_LIMIT_CALLS",
    "TAPEDECK_LIMIT_ORGANIZATION_GB",
    "TAPEDECK_LIMIT_PAGES",
    "TAPEDECK_LIMIT_QUEUED_JOBS",
    "TAPEDECK_LIMIT_STREAMS",
    "TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS",
    "TAPEDECK_LIMIT_UPLOAD_MB",
    "TAPEDECK_LOG_LEVEL",
    "TAPEDECK_LOG_REQUESTS",
    "TAPEDECK_MAIL_FROM",
    "TAPEDECK_MASK",
    "TAPEDECK_MAX_DURATION",
    "TAPEDECK_METRICS_ADDRESSES",
    "TAPEDECK_METRICS_TOKEN",
    "TAPEDECK_OIDC_ALLOWED_DOMAINS",
    "TAPEDECK_OIDC_CLIENT_ID",
    "TAPEDECK_OIDC_CLIENT_SECRET",
    "TAPEDECK_OIDC_DEFAULT_ROLE",
    "TAPEDECK_OIDC_ISSUER",
    "TAPEDECK_OIDC_NAME",
    "TAPEDECK_OIDC_ORGANIZATION_ID",
    "TAPEDECK_PLAYWRIGHT_DISPLAYS",
    "TAPEDECK_PLAYWRIGHT_FILMS",
    "TAPEDECK_PLAYWRIGHT_LINES",
    "TAPEDECK_PLAYWRIGHT_VIDEO",
    "TAPEDECK_RETENTION_DAYS",
    "TAPEDECK_RETENTION_DISK_PERCENT",
    "TAPEDECK_RETENTION_GB",
    "TAPEDECK_RUN",
    "TAPEDECK_RUNNER_NAME",
    "TAPEDECK_RUNNER_OFFLINE_DAYS",
    "TAPEDECK_SECRET_KEY",
    "TAPEDECK_SECRET_KEY_PREVIOUS",
    "TAPEDECK_SMTP_URL",
    "TAPEDECK_STORAGE_URL",
    "TAPEDECK_STORAGE_URL_PREVIOUS",
    "TAPEDECK_TEMPORARY_RUNNER",
    "TAPEDECK_TOKEN",
    "TAPEDECK_TRUSTED_PROXIES",
    "TAPEDECK_UPLOAD_DIR",
    "TAPEDECK_URL",
    "TAPEDECK_VIDEO_CRF",
    "TAPEDECK_VIDEO_CURSOR",
    "TAPEDECK_VIDEO_FPS",
    "TAPEDECK_VIDEO_MAX_BITRATE",
    "TAPEDECK_VIDEO_MAX_HEIGHT",
    "TAPEDECK_VIDEO_MAX_WIDTH",
    "TAPEDECK_VIDEO_PRESET",
    "TAPEDECK_VIDEO_REGION",
    "TAPEDECK_VIDEO_WINDOW",
    "TAPEDECK_VIEWER_URL",
    "TAPEDECK_VIRTUAL_DISPLAYS",
    "TAPEDECK_VIRTUAL_DISPLAY_SIZE",
    "TAPEDECK_WATCH_DIR",
    "TAPEDECK_WATCH_EXCLUDE",
    "TAPEDECK_WATCH_MAX_BYTES",
    "TAPEDECK_WEBHOOK_ALLOW",
)
"""All that programs of Tapedeck read: one environment may be for several of them."""

_has_warned = False


def take_warning() -> str | None:
    """A line about the misspelled variables of this process, once; None if there are none."""
    global _has_warned
    if _has_warned:
        return None
    _has_warned = True
    return warning_of(os.environ)


def warning_of(env: Mapping[str, str]) -> str | None:
    """Names that are like no known one are left alone: a newer version may know them."""
    sentences = [
        f"{name} is not a variable of Tapedeck. Did you mean {meant}?"
        for name, value in env.items()
        if value != "" and _LOOSE_PREFIX.match(name) and name not in KNOWN_VARIABLES
        if not name.startswith(_TEST_PREFIX) and not _is_service_link(name, value)
        for meant in [_nearest(name)]
        if meant is not None
    ]
    return " ".join(sentences) or None


def _is_service_link(name: str, value: str) -> bool:
    if _SERVICE_LINK.fullmatch(name):
        return True
    return _SERVICE_PORT.fullmatch(name) is not None and _SERVICE_URL.match(value) is not None


def _nearest(name: str) -> str | None:
    """The known name that takes the fewest edits, if these are few for its length."""
    rest = _LOOSE_PREFIX.sub("", name, count=1).upper()
    most = max(2, len(rest) // 4)
    candidates = [(one, one.removeprefix(_PREFIX)) for one in KNOWN_VARIABLES]
    edits, nearest = min(((_edits(rest, other), one) for one, other in candidates), key=lambda each: each[0])
    if edits <= most:
        return nearest
    # For example a name without the unit at its end.
    longer = [one for one, other in candidates if _is_part_of(rest, other)]
    return longer[0] if len(longer) == 1 else None


def _is_part_of(name: str, other: str) -> bool:
    """Whether the words of one name are among those of the other."""
    few, many = sorted([name.split("_"), other.split("_")], key=len)
    return set(few) <= set(many)


def _edits(start: str, end: str) -> int:
    """Number of letters to insert, remove, replace, or swap with their neighbour."""
    before: list[int] = []
    row = list(range(len(end) + 1))
    for i, letter in enumerate(start, 1):
        following = [i]
        for j, other in enumerate(end, 1):
            least = min(row[j] + 1, following[j - 1] + 1, row[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == end[j - 2] and start[i - 2] == other:
                least = min(least, before[j - 2] + 1)
            following.append(least)
        before, row = row, following
    return row[-1]
