"""Builds: jobs and recordings with the same label ``build``."""

from __future__ import annotations

from typing import cast
from urllib.parse import quote

from typing_extensions import Unpack

from ..types import Build, BuildEnd, BuildReport, FinishBuild
from .transport import AsyncTransport


class AsyncBuilds:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, build: str) -> Build:
        return cast(Build, await self._transport.call("GET", f"/v1/builds/{quote(build, safe='')}"))

    async def report(self, build: str) -> BuildReport:
        """Returns the outcomes of its tests, the differences from the build before, and the causes of its failures."""
        return cast(BuildReport, await self._transport.call("GET", f"/v1/builds/{quote(build, safe='')}/report"))

    async def finish(self, build: str, **body: Unpack[FinishBuild]) -> BuildEnd:
        """Says that nothing more comes: the build is finished when its jobs have ended.

        :param expectedJobs: jobs and test runs that it has in all; those that it has now if left out.
        """
        path = f"/v1/builds/{quote(build, safe='')}/finish"
        return cast(BuildEnd, await self._transport.call("POST", path, body=body, repeatable=True))
