# Written by scripts/generate.py from _async.
"""Runners: the agents on machines with displays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from typing_extensions import Unpack

from ..types import Runner, RunnerFilter
from .transport import Transport


class Runners:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **filters: Unpack[RunnerFilter]) -> Iterator[Runner]:
        """Runners with their displays. The pages are read as they are used."""
        return self._transport.pages("/v1/runners", cast("dict[str, object]", filters))

    def get(self, runner_id: int) -> Runner:
        return cast(Runner, self._transport.call("GET", f"/v1/runners/{runner_id}"))
