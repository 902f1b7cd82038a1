"""Writes ``_sync``, which git ignores, from ``_async``. Every build does (hatch_build.py); needs nothing but Python.

python scripts/sync.py
"""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "tapedeck"

SYNC = [
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\bAsyncClient\b", "Client"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|read|iter_raw|iter_sse)\b", r"\1"),
    (r"\banyio\.move_on_after\(.*?, shield=True\)", "nullcontext()"),
    (r"^from contextlib import suppress$", "from contextlib import nullcontext, suppress"),
    (r"^import anyio\n", ""),
    (r"\banyio\.sleep\b", "time.sleep"),
    (r"\bin_loop=True\b", "in_loop=False"),
]


def write_sync() -> None:
    """Leaves files alone that are up to date: another program may read them."""
    target = PACKAGE / "_sync"
    target.mkdir(exist_ok=True)
    wanted = {target / source.name: sync_of(source.read_text()) for source in (PACKAGE / "_async").glob("*.py")}
    for stale in set(target.glob("*.py")) - set(wanted):
        stale.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def sync_of(text: str) -> str:
    for pattern, replacement in SYNC:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    if "time.sleep" in text and not re.search(r"^import time$", text, re.MULTILINE):
        text = text.replace("import annotations\n", "import annotations\n\nimport time\n", 1)
    return f"# Written by scripts/sync.py from _async.\n{text}"


if __name__ == "__main__":
    write_sync()
