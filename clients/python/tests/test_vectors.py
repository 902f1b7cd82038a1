"""The vectors that every client replays: see test/vectors/README.md."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from replay import KEY, replay

from tapedeck import AsyncTapedeck, Tapedeck, TapedeckError

FOLDER = Path(__file__).resolve().parents[3] / "test" / "vectors"
VECTORS = [vector for file in sorted(FOLDER.glob("*.json")) for vector in json.loads(file.read_text())]


def moment(given: dict[str, Any], name: str) -> datetime | None:
    return datetime.fromisoformat(given[name].replace("Z", "+00:00")) if given.get(name) else None


def wait(client: Any, given: dict[str, Any]) -> Any:
    if "waitFor" not in given:
        return client.jobs.get(given["jobId"])
    timeout = {"timeout": given["timeoutSeconds"]} if "timeoutSeconds" in given else {}
    return client.jobs.wait(given["jobId"], given["waitFor"], **timeout)


def mark_job(client: Any, given: dict[str, Any]) -> Any:
    body = given["body"]
    return client.jobs.mark(given["jobId"], body["label"], kind=body.get("kind"), at=moment(body, "at"))


def mark_recording(client: Any, given: dict[str, Any]) -> Any:
    body = given["body"]
    return client.recordings.mark(
        given["recordingId"],
        body["label"],
        kind=body.get("kind"),
        offset_seconds=body["offsetSeconds"],
        message=body.get("message"),
    )


# The client is the sync or the async one.
CALLS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "createJob": lambda client, given: client.jobs.create(given["body"]),
    "getJob": wait,
    "listJobs": lambda client, given: client.jobs.list(**given),
    "updateJob": lambda client, given: client.jobs.update(given["jobId"], given["body"]),
    "changePrivacy": lambda client, given: client.jobs.set_privacy(given["jobId"], given["body"]["on"]),
    "cancelJob": lambda client, given: client.jobs.cancel(given["jobId"]),
    "createJobMarker": mark_job,
    "createJobMarkers": lambda client, given: client.jobs.mark_all(given["jobId"], given["body"]["markers"]),
    "listJobMarkers": lambda client, given: client.jobs.markers(given["jobId"]),
    "getRecording": lambda client, given: client.recordings.get(given["recordingId"]),
    "listRecordings": lambda client, given: client.recordings.list(**given),
    "updateRecording": lambda client, given: client.recordings.update(given["recordingId"], given["body"]),
    "createRecordingMarker": mark_recording,
    "createRecordingMarkers": lambda client, given: client.recordings.mark_all(
        given["recordingId"], given["body"]["markers"]
    ),
    "createShareLink": lambda client, given: client.recordings.share(
        given["recordingId"],
        expires_at=moment(given["body"], "expiresAt"),
        opens=given["body"].get("opens"),
        start=given["body"].get("from"),
        end=given["body"].get("to"),
    ),
    "createSignedUrl": lambda client, given: client.recordings.signed_url(
        given["recordingId"], expires_in_seconds=given.get("expiresInSeconds")
    ),
    "deleteRecording": lambda client, given: client.recordings.delete(given["recordingId"]),
    "listRunners": lambda client, given: client.runners.list(**given),
}


def by_sync(url: str, vector: dict[str, Any]) -> Any:
    with Tapedeck(url, KEY) as client:
        answer = CALLS[vector["operation"]](client, vector.get("arguments", {}))
        return list(answer) if inspect.isgenerator(answer) else answer


def by_async(url: str, vector: dict[str, Any]) -> Any:
    async def main() -> Any:
        async with AsyncTapedeck(url, KEY) as client:
            answer = CALLS[vector["operation"]](client, vector.get("arguments", {}))
            return [each async for each in answer] if isinstance(answer, AsyncIterator) else await answer

    return asyncio.run(main())


@pytest.mark.parametrize("by", [by_sync, by_async])
@pytest.mark.parametrize("vector", VECTORS, ids=[vector["title"] for vector in VECTORS])
def test_vector(vector: dict[str, Any], by: Callable[[str, dict[str, Any]], Any]) -> None:
    with replay(vector["exchanges"]) as server:
        try:
            outcome = {"result": by(server.url, vector)}
        except TapedeckError as error:
            fields = {"status": error.status, "code": error.code, "detail": error.detail, "errors": list(error.errors)}
            outcome = {"error": fields}
    assert outcome == ({"error": vector["error"]} if "error" in vector else {"result": vector["result"]})
