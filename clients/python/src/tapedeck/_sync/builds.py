# Written by scripts/generate.py from _async.
"""Builds: jobs and recordings with the same label ``build``."""

from __future__ import annotations

from typing import cast
from urllib.parse import quote

from typing_extensions import Unpack

from ..types import Build, BuildEnd, BuildReport, FinishBuild
from .transport import Transport


class Builds:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, build: str) -> Build:
        return cast(Build, self._transport.call("GET", f"/v1/builds/{quote(build, safe='')}"))

    def report(self, build: str) -> BuildReport:
        """Returns the outcomes of its tests, the differences from the build before, and the causes of its failures."""
        return cast(BuildReport, self._transport.call("GET", f"/v1/builds/{quote(build, safe='')}/report"))

    def finish(self, build: str, **body: Unpack[FinishBuild]) -> BuildEnd:
        """Says that nothing more comes: the build is finished when its jobs have ended.

        :param expectedJobs: jobs and test runs that it has in all; those that it has now if left out.
        """
        path = f"/v1/builds/{quote(build, safe='')}/finish"
        return cast(BuildEnd, self._transport.call("POST", path, body=body, repeatable=True))
