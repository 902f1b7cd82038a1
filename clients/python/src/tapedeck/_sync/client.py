# Written by scripts/generate.py from _async.
"""The client: where a script begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import TracebackType
from typing import Any

import httpx

from .._calls import DEFAULT_RETRIES, Query
from ..live_events import LiveEvent
from ..types import Keep, Selector, VideoOptions
from .builds import Builds
from .events import follow_events
from .jobs import Jobs
from .recorder import DEFAULT_MAX_SECONDS, Recorder
from .recordings import Recordings
from .runners import Runners
from .schedules import Schedules
from .test_runs import TestRuns
from .tests import Tests
from .transport import Transport
from .webhooks import Webhooks


class Tapedeck:
    """Calls a Tapedeck dashboard. Every call that fails raises a TapedeckError.

    :param url: the dashboard's address, such as ``https://tapedeck.example.com``; default ``TAPEDECK_URL``.
    :param api_key: created in the dashboard under Settings; default ``TAPEDECK_API_KEY``.
    :param retries: how often a call is repeated that may succeed in a moment; the default takes up to 8 seconds.
    :param http_client: in place of the client's own, such as one with a proxy; you close it.
    :raises ValueError: without an address or a key.
    :raises TapedeckError: if the proxy or the certificates of the environment can't be used.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        retries: int = DEFAULT_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._transport = Transport(url, api_key, retries=retries, http_client=http_client)
        self.builds = Builds(self._transport)
        self.jobs = Jobs(self._transport)
        self.recordings = Recordings(self._transport)
        self.runners = Runners(self._transport)
        self.schedules = Schedules(self._transport)
        self.test_runs = TestRuns(self._transport)
        self.tests = Tests(self._transport)
        self.webhooks = Webhooks(self._transport)

    @property
    def url(self) -> str:
        """The dashboard's address, without a slash at its end."""
        return self._transport.url

    def dashboard_time(self, local: datetime) -> datetime:
        """The dashboard's time at a time of this machine's clock, as far as its answers say."""
        return self._transport.clock.time_of(local)

    def record(
        self,
        *,
        runner: int | str | None = None,
        display: str | None = None,
        selector: Selector | None = None,
        name: str | None = None,
        labels: Mapping[str, str] | None = None,
        keep: Keep | None = None,
        video: VideoOptions | None = None,
        pre_seconds: int | None = None,
        max_duration_seconds: int | None = DEFAULT_MAX_SECONDS,
        start_timeout: float = 60,
        playable_timeout: float = 60,
    ) -> Recorder:
        """Records while a block runs: waits for the first frame, and at the end sets the outcome and stops.

        :param runner: a runner's id or name; without it, the first that fits and has the display free records.
        :param display: such as ``:99``; default the runner's only one, or any.
        :param selector: what the runner must have, such as ``{"labels": {"pool": "linux"}}``, instead of ``runner``.
        :param keep: ``failed`` deletes the recording after a while if its outcome is ``passed``.
        :param video: quality, frame rate and size, such as ``{"preset": "sharp", "framesPerSecond": 30}``.
        :param pre_seconds: how much of what the display showed before belongs to it, if the runner keeps a buffer.
        :param max_duration_seconds: stops the recording, also when nobody else can any more; default 4 hours. With
            None, it is the organization's maximum.
        :param start_timeout: seconds to wait for the first frame.
        :param playable_timeout: seconds to wait in the end until the video plays; 0 doesn't wait.
        """
        return Recorder(
            self._transport,
            self.jobs,
            self.runners,
            runner=runner,
            display=display,
            selector=selector,
            name=name,
            labels=labels,
            keep=keep,
            video=video,
            pre_seconds=pre_seconds,
            max_duration_seconds=max_duration_seconds,
            start_timeout=start_timeout,
            playable_timeout=playable_timeout,
        )

    def events(self) -> Iterator[LiveEvent]:
        """Changes in the organization as they happen, for ever. Connects again when it has to."""
        return follow_events(self._transport)

    def request(self, method: str, path: str, *, query: Query | None = None, body: Any = None) -> Any:
        """Calls anything else of the API, such as ``client.request("GET", "/v1/storage")``."""
        return self._transport.call(method, path, query=query, body=body)

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Tapedeck:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
