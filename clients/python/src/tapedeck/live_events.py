"""The events of ``client.events()``: dictionaries with a ``type``, and ``data`` in the shapes of ``tapedeck.types``."""

from __future__ import annotations

from typing import Literal, TypedDict

from .types import Job, Recording, Runner, Storage


class JobEvent(TypedDict):
    type: Literal["job"]
    data: Job


class RecordingEvent(TypedDict):
    type: Literal["recording"]
    data: Recording


class DeletedRecording(TypedDict):
    id: int
    jobId: int | None


class RecordingDeletedEvent(TypedDict):
    type: Literal["recording_deleted"]
    data: DeletedRecording


class ChangedMarkers(TypedDict):
    jobId: int | None
    recordingId: int | None


class MarkersEvent(TypedDict):
    """Markers of the job, shown in the recording, were added or deleted."""

    type: Literal["markers"]
    data: ChangedMarkers


class RunnerEvent(TypedDict):
    type: Literal["runner"]
    data: Runner


class RemovedRunner(TypedDict):
    id: int


class RunnerRemovedEvent(TypedDict):
    type: Literal["runner_removed"]
    data: RemovedRunner


class StorageEvent(TypedDict):
    type: Literal["storage"]
    data: Storage


class Nothing(TypedDict):
    pass


class ResyncEvent(TypedDict):
    """There may be changes that you get no event of: read again what you need. Every connection begins with one."""

    type: Literal["resync"]
    data: Nothing


LiveEvent = (
    JobEvent
    | RecordingEvent
    | RecordingDeletedEvent
    | MarkersEvent
    | RunnerEvent
    | RunnerRemovedEvent
    | StorageEvent
    | ResyncEvent
)

EVENT_TYPES = frozenset(
    ["job", "recording", "recording_deleted", "markers", "runner", "runner_removed", "storage", "resync"]
)
