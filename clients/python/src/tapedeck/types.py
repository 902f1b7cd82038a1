"""Shapes of the API. Written by scripts/generate.py."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired


class VideoRegion(TypedDict):
    x: int
    y: int
    width: int
    height: int


class DurationConfig(TypedDict):
    durationSeconds: int


class InterruptConfig(TypedDict):
    pass


GridUsername: TypeAlias = str


class SeleniumIdleConfig(TypedDict):
    gridUrl: str
    gridUsername: NotRequired[GridUsername]
    gridPassword: NotRequired[str]
    gridNode: NotRequired[str]
    firstSessionTimeoutSeconds: NotRequired[int]


class SeleniumSessionConfig(TypedDict):
    gridUrl: str
    gridUsername: NotRequired[GridUsername]
    gridPassword: NotRequired[str]
    gridNode: NotRequired[str]
    firstSessionTimeoutSeconds: NotRequired[int]
    sessionId: NotRequired[str]


class Video(TypedDict):
    region: NotRequired[VideoRegion]
    window: NotRequired[str]


class JobError(TypedDict):
    code: Literal[
        "display_lost",
        "display_unavailable",
        "storage_full",
        "runner_lost",
        "runner_removed",
        "grid_unauthorized",
        "grid_not_recognised",
        "grid_not_allowed",
        "not_supported",
        "ffmpeg_failed",
        "file_unavailable",
    ]
    message: str


class Creator(TypedDict):
    kind: Literal["user", "apiKey", "runner"]
    id: int
    name: str


class RecordingDeletion(TypedDict):
    deletedAt: str
    deletedBy: str | None
    reason: Literal["request", "age", "size", "disk", "passed"]
    restorableUntil: str | None
    id: int


class SeleniumIdlePublicConfig(TypedDict):
    gridUrl: str
    gridUsername: NotRequired[str]
    gridNode: NotRequired[str]
    firstSessionTimeoutSeconds: NotRequired[int]


class SeleniumSessionPublicConfig(TypedDict):
    gridUrl: str
    gridUsername: NotRequired[str]
    gridNode: NotRequired[str]
    firstSessionTimeoutSeconds: NotRequired[int]
    sessionId: NotRequired[str]


class JobEvent(TypedDict):
    id: int
    type: str
    at: str
    message: str
    data: dict[str, Any]


class Marker(TypedDict):
    id: int
    jobId: int | None
    label: str
    kind: Literal["step", "pass", "fail", "note", "stall", "session"]
    message: str | None
    at: str | None
    offsetSeconds: float | None
    clampedTo: Literal["start", "end"] | None


class MarkerList(TypedDict):
    data: list[Marker]


class Privacy(TypedDict):
    on: bool
    effectiveAt: str | None


class RecordingSession(TypedDict):
    sessionId: str
    name: str | None
    startedAt: str
    endedAt: str | None
    offsetSeconds: float


PrivateStretch = TypedDict(
    "PrivateStretch",
    {
        "from": float,
        "to": float | None,
    },
)


class CreateJobMarker(TypedDict):
    label: str
    kind: NotRequired[Literal["step", "pass", "fail", "note"]]
    message: NotRequired[str | None]
    at: NotRequired[str]


class CreateRecordingMarker(TypedDict):
    label: str
    kind: NotRequired[Literal["step", "pass", "fail", "note"]]
    message: NotRequired[str | None]
    offsetSeconds: float


class CreateTestRun(TypedDict):
    name: NotRequired[str]
    labels: NotRequired[dict[str, str]]
    source: NotRequired[str]
    key: NotRequired[str]
    quietHistory: NotRequired[bool]


class Results(TypedDict):
    all: int
    passed: int
    failed: int
    error: int
    skipped: int
    running: int


class Attachment(TypedDict):
    id: int
    name: str
    contentType: str
    bytes: int
    width: int | None
    height: int | None
    url: str


class Test(TypedDict):
    id: int
    test: str
    suite: str | None
    file: str | None
    line: int | None
    project: str | None
    repository: str | None
    firstAt: str
    lastAt: str


class FailingSince(TypedDict):
    id: int
    startedAt: str
    build: str | None
    commit: str | None


class TestSummary(TypedDict):
    results: int
    passed: int
    failed: int
    error: int
    skipped: int
    flaky: int
    durationSeconds: float | None
    branches: list[str]
    projects: list[str]
    failingSince: FailingSince | None
    lastPassedId: int | None
    lastFailedId: int | None


class Owner(TypedDict):
    userId: int
    name: str


class TrackLineFault(TypedDict):
    line: int
    message: str


class Track(TypedDict):
    name: str
    kind: Literal["log", "console", "network", "load", "windows"]
    lines: int
    bytes: int
    received: int
    firstAt: str | None
    lastAt: str | None


class TrackList(TypedDict):
    data: list[Track]


class TrackLine(TypedDict):
    line: int
    at: str
    offsetSeconds: float | None
    text: str
    level: Literal["debug", "info", "warn", "error"] | None
    data: dict[str, Any] | None


class Tests(TypedDict):
    all: int
    passed: int
    failed: int
    error: int
    skipped: int
    running: int
    flaky: int


class Build(TypedDict):
    build: str
    recordings: int
    passed: int
    failed: int
    error: int
    skipped: int
    withoutOutcome: int
    black: int
    running: int
    durationSeconds: float
    jobs: int
    testRuns: int
    status: Literal["queued", "running", "failed", "passed"] | None
    tests: Tests
    letThrough: int
    branch: str | None
    commit: str | None
    repository: str | None
    workflow: str | None
    startedAt: str | None
    endedAt: str | None
    firstAt: str
    lastAt: str


class BuildEnd(TypedDict):
    build: str
    expectedJobs: int | None
    endedJobs: int
    finishedAt: str | None


class Tests1(Results):
    pass


class First(TypedDict):
    id: int
    testId: int
    jobId: int | None
    recordingId: int | None
    testRunId: int | None
    test: str
    file: str | None
    line: int | None
    project: str | None
    hasFrame: bool
    failureOffsetSeconds: float | None
    isApproximate: bool


class Assignee(Owner):
    pass


class FailureTriage(TypedDict):
    assignee: Assignee | None
    mutedUntil: str | None
    muteReason: str | None
    mutedBy: str | None
    letsPass: bool


class FinishBuild(TypedDict):
    expectedJobs: NotRequired[int]


FailedItem: TypeAlias = int


class DecideGate(TypedDict):
    failed: NotRequired[list[FailedItem]]


class KnownItem(TypedDict):
    cause: str | None
    title: str
    tests: int
    names: list[str]
    owner: str
    reason: str | None
    mutedUntil: str


class Since(FailingSince):
    pass


class NewItem(TypedDict):
    cause: str | None
    title: str
    tests: int
    names: list[str]
    since: Since | None


class Gate(TypedDict):
    passes: bool
    refusal: str | None
    known: list[KnownItem]
    new: list[NewItem]
    summary: str


class WebhookDelivery(TypedDict):
    id: int
    webhookId: int
    messageId: str
    type: str
    state: Literal["waiting", "delivered", "failed"]
    attempts: int
    createdAt: str
    lastAttemptAt: str | None
    nextAttemptAt: str | None
    status: int | None
    error: str | None
    durationSeconds: float | None


class WholeWebhookDelivery(WebhookDelivery):
    body: str
    answer: str | None


class LastSkip(TypedDict):
    at: str
    reason: str


NewShareLink = TypedDict(
    "NewShareLink",
    {
        "id": int,
        "recordingId": int,
        "prefix": str,
        "opens": Literal["page", "clip", "frame"],
        "at": float | None,
        "from": float | None,
        "to": float | None,
        "include": list[Literal["tests", "steps", "attachments", "tracks", "proof"]],
        "format": Literal["mp4", "gif"] | None,
        "width": int | None,
        "createdBy": str,
        "createdAt": str,
        "expiresAt": str | None,
        "url": str,
    },
)


class SignedUrl(TypedDict):
    url: str
    posterUrl: str
    expiresAt: str


class Display(TypedDict):
    id: str
    width: int
    height: int


class Fault(TypedDict):
    path: str
    code: str
    message: str


class RunnerFilter(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    removed: NotRequired[Literal["true", "false"]]


class TestFilter(TypedDict):
    q: NotRequired[str]
    jobId: NotRequired[int]
    recordingId: NotRequired[int]
    testRunId: NotRequired[int]
    lastOfBuild: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class TestHistoryFilter(TypedDict):
    test: NotRequired[str]
    testId: NotRequired[int]
    project: NotRequired[str]
    repository: NotRequired[str]
    branch: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class TestSummaryFilter(TypedDict):
    q: NotRequired[str]
    sort: NotRequired[Literal["lastAt", "passRate", "flakyRate", "durationSeconds", "durationChangeSeconds"]]
    order: NotRequired[Literal["desc", "asc"]]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class TestRunFilter(TypedDict):
    build: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class DeliveryFilter(TypedDict):
    state: NotRequired[Literal["waiting", "delivered", "failed"]]
    limit: NotRequired[int]
    cursor: NotRequired[str]


TrackFilter = TypedDict(
    "TrackFilter",
    {
        "from": NotRequired[float],
        "to": NotRequired[float],
        "q": NotRequired[str],
        "level": NotRequired[Literal["debug", "info", "warn", "error"]],
        "order": NotRequired[Literal["desc", "asc"]],
        "limit": NotRequired[int],
        "cursor": NotRequired[str],
    },
)


class Selector(TypedDict):
    labels: NotRequired[dict[str, str]]
    display: NotRequired[str]


Keep: TypeAlias = Literal["always", "failed"]


VideoPreset: TypeAlias = Literal["balanced", "sharp", "small"]


Outcome: TypeAlias = Literal["passed", "failed", "error", "skipped"]


JobStatus: TypeAlias = Literal["queued", "starting", "recording", "uploading", "completed", "failed", "cancelled"]


StopReason: TypeAlias = Literal[
    "duration_elapsed",
    "cancelled",
    "selenium_idle",
    "runner_shutdown",
    "grid_unreachable",
    "duration_cap",
    "session_ended",
    "captured",
    "file_sent",
    "display_lost",
    "display_unavailable",
    "storage_full",
    "runner_lost",
    "runner_removed",
    "grid_unauthorized",
    "grid_not_recognised",
    "grid_not_allowed",
    "not_supported",
    "ffmpeg_failed",
    "file_unavailable",
]


RecordingState: TypeAlias = Literal["live", "ready", "partial"]


Verdict: TypeAlias = Literal["ok", "black", "frozen"]


WebhookEvent: TypeAlias = Literal[
    "job.ended",
    "recording.ready",
    "test.failed",
    "build.finished",
    "runner.offline",
    "runner.online",
    "storage.full",
    "coverage.gap",
]


RunnerState: TypeAlias = Literal["online", "offline"]


StorageState: TypeAlias = Literal["ok", "full"]


class Display1(TypedDict):
    width: NotRequired[int]
    height: NotRequired[int]


class Display2(TypedDict):
    width: int
    height: int


class VideoOptions(TypedDict):
    preset: NotRequired[VideoPreset]
    framesPerSecond: NotRequired[int]
    maxWidth: NotRequired[int]
    maxHeight: NotRequired[int]
    cursor: NotRequired[bool]
    crf: NotRequired[int]
    maxBitrate: NotRequired[int]
    region: NotRequired[VideoRegion]
    window: NotRequired[str]


class CreateScreenshotJob(TypedDict):
    type: Literal["screenshot"]
    runnerId: int
    displayId: str
    name: NotRequired[str]
    labels: NotRequired[dict[str, str]]
    keep: NotRequired[Keep]
    video: NotRequired[Video]


class CreateFileUploadJob(TypedDict):
    type: Literal["file_upload"]
    runnerId: int
    path: str
    name: NotRequired[str]
    labels: NotRequired[dict[str, str]]
    keep: NotRequired[Keep]


class UpdateJob(TypedDict):
    name: NotRequired[str]
    labels: NotRequired[dict[str, str | None]]
    outcome: NotRequired[Outcome | None]
    keep: NotRequired[Keep]
    pinned: NotRequired[bool]


class VideoFormat(TypedDict):
    preset: VideoPreset
    framesPerSecond: int
    cursor: bool
    crf: int
    maxWidth: NotRequired[int]
    maxHeight: NotRequired[int]
    maxBitrate: NotRequired[int]
    region: NotRequired[VideoRegion]
    window: NotRequired[str]


class Recording(TypedDict):
    id: int
    organizationId: int
    jobId: int | None
    runnerId: int | None
    name: str
    kind: Literal["video", "image", "document", "other"]
    state: RecordingState
    contentType: str
    durationSeconds: float
    bytes: int
    width: int | None
    height: int | None
    video: VideoFormat | None
    createdAt: str
    verdict: Verdict | None
    pinned: bool
    labels: dict[str, str]
    outcome: Outcome | None
    keep: Keep
    deleteAt: str | None
    keptUntil: str | None
    url: str
    videoUrl: str
    posterUrl: str
    sessions: NotRequired[list[RecordingSession]]
    privacy: NotRequired[list[PrivateStretch]]
    matchedLine: NotRequired[str]


class UpdateRecording(UpdateJob):
    pass


class CreateJobMarkers(TypedDict):
    markers: list[CreateJobMarker]


class CreateRecordingMarkers(TypedDict):
    markers: list[CreateRecordingMarker]


class EndTestRun(TypedDict):
    outcome: Outcome
    message: NotRequired[str | None]


class TestRun(TypedDict):
    id: int
    organizationId: int
    name: str
    source: str | None
    key: str | None
    labels: dict[str, str]
    outcome: Outcome | None
    isAbandoned: bool
    quietHistory: bool
    createdAt: str
    endedAt: str | None
    createdBy: Creator | None
    results: Results
    attachmentCount: int
    url: str | None


class TestRunDetail(TestRun):
    attachments: list[Attachment]


class NewTestResult(TypedDict):
    key: str
    test: str
    suite: NotRequired[str | None]
    file: NotRequired[str | None]
    line: NotRequired[int | None]
    project: NotRequired[str | None]
    attempt: NotRequired[int]
    outcome: NotRequired[Outcome | None]
    startedAt: NotRequired[str | None]
    endedAt: NotRequired[str | None]
    isApproximate: NotRequired[bool]
    message: NotRequired[str | None]
    stack: NotRequired[str | None]
    steps: NotRequired[list[Any] | None]


class Change(TypedDict):
    at: str
    outcome: Outcome | None


class TestStep(TypedDict):
    title: str
    category: str | None
    offsetSeconds: float | None
    durationSeconds: float | None
    outcome: Outcome | None
    message: str | None
    steps: list[TestStep]


class RecentResult(TypedDict):
    id: int
    outcome: Outcome
    flaky: bool
    startedAt: str
    durationSeconds: float | None


class AppendedTrack(TypedDict):
    name: str
    kind: Literal["log", "console", "network", "load", "windows"]
    lines: int
    bytes: int
    received: int
    firstAt: str | None
    lastAt: str | None
    refused: int
    faults: list[TrackLineFault]


class Datum(TypedDict):
    cause: str | None
    title: str
    tests: int
    newTests: int
    first: First
    triage: FailureTriage


class Causes(TypedDict):
    all: int
    new: int
    newTests: int
    data: list[Datum]


class CreateWebhook(TypedDict):
    url: str
    events: list[WebhookEvent]
    q: NotRequired[str | None]
    kind: NotRequired[Literal["standard", "slack", "teams", "mattermost"]]
    onlyNew: NotRequired[bool]
    botToken: NotRequired[str | None]


class UpdateWebhook(TypedDict):
    url: NotRequired[str]
    events: NotRequired[list[WebhookEvent]]
    q: NotRequired[str | None]
    onlyNew: NotRequired[bool]
    botToken: NotRequired[str | None]
    paused: NotRequired[bool]


class Webhook(TypedDict):
    id: int
    url: str
    events: list[WebhookEvent]
    q: str | None
    kind: Literal["standard", "slack", "teams", "mattermost"]
    onlyNew: bool
    hasBotToken: bool
    paused: bool
    pausedBecause: str | None
    previousSecretUntil: str | None
    waiting: int
    createdBy: str | None
    createdAt: str


class LastJob(TypedDict):
    id: int
    status: JobStatus
    createdAt: str


class ScheduledScreenshotJob(CreateScreenshotJob):
    pass


class ScheduledFileUploadJob(CreateFileUploadJob):
    pass


class Runner(TypedDict):
    id: int
    organizationId: int
    name: str
    state: RunnerState
    displays: list[Display]
    version: str
    versionStatus: Literal["current", "older", "newer", "different"]
    labels: dict[str, str]
    bufferSeconds: int | None
    virtualDisplays: int | None
    lastSeenAt: str | None
    runningJobIds: list[int]
    waitingJobIds: list[int]


class Storage(TypedDict):
    state: StorageState
    waitsFor: Literal["disk", "quota"] | None
    freeBytes: int
    totalBytes: int
    reserveBytes: int
    usedBytes: int
    quotaBytes: int | None
    maxUploadBytes: int | None


class JobFilter(TypedDict):
    type: NotRequired[list[Literal["recording", "screenshot", "file_upload"]]]
    status: NotRequired[list[JobStatus]]
    runnerId: NotRequired[int]
    stopCondition: NotRequired[Literal["duration", "interrupt", "selenium_idle", "selenium_session"]]
    q: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]
    order: NotRequired[Literal["desc", "asc"]]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class RecordingFilter(TypedDict):
    q: NotRequired[str]
    kind: NotRequired[list[Literal["video", "image", "document", "other"]]]
    state: NotRequired[list[RecordingState]]
    verdict: NotRequired[list[Verdict]]
    runnerId: NotRequired[int]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]
    sort: NotRequired[Literal["createdAt", "durationSeconds", "bytes"]]
    order: NotRequired[Literal["desc", "asc"]]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class CreateRecordingFields(TypedDict):
    runnerId: NotRequired[int]
    displayId: NotRequired[str]
    selector: NotRequired[Selector]
    type: NotRequired[Literal["recording"]]
    name: NotRequired[str]
    labels: NotRequired[dict[str, str]]
    keep: NotRequired[Keep]
    maxDurationSeconds: NotRequired[int]
    video: NotRequired[VideoOptions]
    display: NotRequired[Display2]
    preSeconds: NotRequired[int]
    outcomeExpected: NotRequired[bool]


class ScheduledRecordingFields(TypedDict):
    runnerId: NotRequired[int]
    displayId: NotRequired[str]
    selector: NotRequired[Selector]
    type: Literal["recording"]
    name: NotRequired[str]
    labels: NotRequired[dict[str, str]]
    keep: NotRequired[Keep]
    maxDurationSeconds: NotRequired[int]
    video: NotRequired[VideoOptions]
    display: NotRequired[Display2]
    preSeconds: NotRequired[int]
    outcomeExpected: NotRequired[bool]


class CreateDurationJob(CreateRecordingFields):
    stopCondition: Literal["duration"]
    stopConditionConfig: DurationConfig


class CreateInterruptJob(CreateRecordingFields):
    stopCondition: Literal["interrupt"]
    stopConditionConfig: NotRequired[InterruptConfig]


class CreateSeleniumIdleJob(CreateRecordingFields):
    stopCondition: Literal["selenium_idle"]
    stopConditionConfig: SeleniumIdleConfig


class CreateSeleniumSessionJob(CreateRecordingFields):
    stopCondition: Literal["selenium_session"]
    stopConditionConfig: SeleniumSessionConfig


class JobRecording(TypedDict):
    id: int
    kind: Literal["video", "image", "document", "other"]
    state: RecordingState
    url: str
    durationSeconds: float
    bytes: int
    width: int | None
    height: int | None
    video: VideoFormat | None
    verdict: Verdict | None
    deleteAt: str | None


class TestResult(TypedDict):
    id: int
    jobId: int | None
    testRunId: int | None
    recordingId: int | None
    testId: int
    key: str
    test: str
    suite: str | None
    file: str | None
    line: int | None
    project: str | None
    attempt: int
    outcome: Outcome | None
    startedAt: str
    endedAt: str | None
    offsetSeconds: float | None
    clampedTo: Literal["start", "end"] | None
    isApproximate: bool
    durationSeconds: float | None
    failureOffsetSeconds: float | None
    message: str | None
    reason: str | None
    stack: str | None
    steps: list[TestStep]
    stepsLeftOut: int
    cause: str | None
    screen: str | None
    hasFrame: bool
    attachmentCount: int
    flaky: bool
    new: bool
    labels: dict[str, str]
    changes: list[Change]
    deletedRecording: RecordingDeletion | None


class TestResultDetail(TestResult):
    attachments: list[Attachment]


class TestResultList(TypedDict):
    data: list[TestResult]


class TestHistory(TypedDict):
    data: list[TestResult]
    nextCursor: str | None
    test: Test | None
    summary: TestSummary


class ListedTest(TypedDict):
    id: int
    test: str
    suite: str | None
    file: str | None
    line: int | None
    project: str | None
    repository: str | None
    firstAt: str
    lastAt: str
    outcome: Outcome | None
    new: bool
    isApproximate: bool
    results: int
    passRate: float | None
    flakyRate: float | None
    durationSeconds: float | None
    durationChangeSeconds: float
    owner: Owner | None
    recent: list[RecentResult]


class NewlyFailing(TypedDict):
    tests: int
    data: list[TestResult]


class StillFailing(NewlyFailing):
    pass


class Fixed(NewlyFailing):
    pass


class Flaky(NewlyFailing):
    pass


class BuildReport(TypedDict):
    build: str
    branch: str | None
    commit: str | None
    repository: str | None
    ciUrl: str | None
    startedAt: str | None
    endedAt: str | None
    tests: Tests1
    isMore: bool
    previous: str | None
    previousBranch: str | None
    newlyFailing: NewlyFailing
    stillFailing: StillFailing
    fixed: Fixed
    flaky: Flaky
    causes: Causes


class NewWebhook(Webhook):
    secret: str


class WebhookPage(TypedDict):
    data: list[Webhook]
    nextCursor: str | None


class ScheduledDurationJob(ScheduledRecordingFields):
    stopCondition: Literal["duration"]
    stopConditionConfig: DurationConfig


class ScheduledInterruptJob(ScheduledRecordingFields):
    stopCondition: Literal["interrupt"]
    stopConditionConfig: InterruptConfig


class ScheduledSeleniumIdleJob(ScheduledRecordingFields):
    stopCondition: Literal["selenium_idle"]
    stopConditionConfig: SeleniumIdlePublicConfig


class ScheduledSeleniumSessionJob(ScheduledRecordingFields):
    stopCondition: Literal["selenium_session"]
    stopConditionConfig: SeleniumSessionPublicConfig


class JobFields(TypedDict):
    id: int
    organizationId: int
    runnerId: int
    displayId: str
    name: str
    selector: Selector | None
    labels: dict[str, str]
    outcome: Outcome | None
    keep: Keep
    pinned: bool
    maxDurationSeconds: int | None
    video: VideoOptions
    preSeconds: int
    status: JobStatus
    stopReason: StopReason | None
    error: JobError | None
    createdAt: str
    startedAt: str | None
    stoppedAt: str | None
    endedAt: str | None
    cancelRequestedAt: str | None
    createdBy: Creator | None
    recording: JobRecording | None
    deletedRecording: RecordingDeletion | None
    matchedLine: NotRequired[str]
    display: NotRequired[Display1]


CreateJob: TypeAlias = (
    CreateDurationJob
    | CreateInterruptJob
    | CreateSeleniumIdleJob
    | CreateSeleniumSessionJob
    | CreateScreenshotJob
    | CreateFileUploadJob
)


class DurationJob(JobFields):
    type: Literal["recording"]
    stopCondition: Literal["duration"]
    stopConditionConfig: DurationConfig


class InterruptJob(JobFields):
    type: Literal["recording"]
    stopCondition: Literal["interrupt"]
    stopConditionConfig: InterruptConfig


class SeleniumIdleJob(JobFields):
    type: Literal["recording"]
    stopCondition: Literal["selenium_idle"]
    stopConditionConfig: SeleniumIdlePublicConfig


class SeleniumSessionJob(JobFields):
    type: Literal["recording"]
    stopCondition: Literal["selenium_session"]
    stopConditionConfig: SeleniumSessionPublicConfig


class ScreenshotJob(JobFields):
    stopCondition: None
    stopConditionConfig: None
    type: Literal["screenshot"]


class FileUploadJob(JobFields):
    stopCondition: None
    stopConditionConfig: None
    type: Literal["file_upload"]
    path: str


class CreateSchedule(TypedDict):
    everySeconds: int
    endsAt: NotRequired[str | None]
    job: CreateJob


ScheduledJob: TypeAlias = (
    ScheduledDurationJob
    | ScheduledInterruptJob
    | ScheduledSeleniumIdleJob
    | ScheduledSeleniumSessionJob
    | ScheduledScreenshotJob
    | ScheduledFileUploadJob
)


Job: TypeAlias = DurationJob | InterruptJob | SeleniumIdleJob | SeleniumSessionJob | ScreenshotJob | FileUploadJob


class Schedule(TypedDict):
    id: int
    everySeconds: int
    endsAt: str | None
    job: ScheduledJob
    paused: bool
    pausedBecause: str | None
    nextStartAt: str | None
    lastJob: LastJob | None
    startedJobs: int
    skippedStarts: int
    lastSkip: LastSkip | None
    createdBy: str | None
    createdAt: str


class SchedulePage(TypedDict):
    data: list[Schedule]
    nextCursor: str | None
