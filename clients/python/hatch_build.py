"""The step of every build, of an editable one as well, that writes the sync client."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SyncClient(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        runpy.run_path(str(Path(self.root, "scripts", "sync.py")))["write_sync"]()
