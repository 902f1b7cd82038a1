"""Stretches and frames of videos, and digests: files as calls return them, whole."""

from __future__ import annotations

import math
from collections.abc import Callable

import anyio
import httpx

from tapedeck import AsyncTapedeck, Tapedeck

JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x7b\x22not json\x22\x7d"


def client_of(answer: Callable[[httpx.Request], httpx.Response]) -> Tapedeck:
    return Tapedeck(
        "http://tapedeck.test",
        "tdk_test",
        http_client=httpx.Client(transport=httpx.MockTransport(answer)),
    )


def test_a_clip_says_which_seconds_it_has_and_asks_for_nothing_that_was_not_chosen() -> None:
    asked: list[dict[str, str]] = []

    def dashboard(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/v1/recordings/12/clip"
        asked.append(dict(request.url.params))
        headers = {"content-type": "video/mp4", "tapedeck-clip": "58.500-75.000"}
        return httpx.Response(200, content=b"\x00\x01\xff", headers=headers)

    client = client_of(dashboard)
    clip = client.recordings.clip(12, start=60, end=75.25, max_bytes=2_000_000)
    assert (clip.content, clip.content_type, clip.start, clip.end) == (b"\x00\x01\xff", "video/mp4", 58.5, 75.0)
    client.recordings.clip(12)
    client.recordings.clip(12, format="gif", size=640, exact=True, against="last-passed")
    assert asked == [
        {"from": "60", "to": "75.25", "maxBytes": "2000000"},
        {},
        {"format": "gif", "size": "640", "exact": "1", "against": "last-passed"},
    ]


def test_a_frame_has_the_video_s_own_size_by_default_and_is_of_a_moment_or_of_the_failure() -> None:
    asked: list[dict[str, str]] = []

    def dashboard(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/v1/recordings/12/frame"
        asked.append(dict(request.url.params))
        return httpx.Response(200, content=JPEG, headers={"content-type": "image/jpeg"})

    client = client_of(dashboard)
    assert client.recordings.frame(12, 4.25) == JPEG
    assert client.recordings.frame(12, "failure", width=320) == JPEG
    assert asked == [{"at": "4.25", "width": "8192"}, {"of": "failure", "width": "320"}]


def test_a_digest_is_markdown_and_its_sheet_a_picture() -> None:
    def dashboard(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/v1/recordings/12/digest"
        if request.url.params.get("part") == "sheet":
            assert dict(request.url.params) == {"part": "sheet", "frames": "4"}
            return httpx.Response(200, content=JPEG, headers={"content-type": "image/jpeg"})
        assert dict(request.url.params) == {"maxTokens": "800", "frames": "4"}
        return httpx.Response(200, text="# Pays: failed\n", headers={"content-type": "text/markdown; charset=utf-8"})

    client = client_of(dashboard)
    assert client.recordings.digest(12, max_tokens=800, frames=4) == "# Pays: failed\n"
    assert client.recordings.sheet(12, frames=4) == JPEG


def test_the_asynchronous_client_has_the_same_and_a_clip_without_seconds_is_a_clip() -> None:
    async def main() -> None:
        transport = httpx.MockTransport(lambda _: httpx.Response(200, content=b"clip"))
        async with httpx.AsyncClient(transport=transport) as http_client:
            client = AsyncTapedeck("http://tapedeck.test", "tdk_test", http_client=http_client)
            clip = await client.recordings.clip(12)
            assert clip.content == b"clip"
            assert math.isnan(clip.start)

    anyio.run(main)
