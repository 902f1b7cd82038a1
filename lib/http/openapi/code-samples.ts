/** How the clients make a call, for each operation that takes API keys: `x-codeSamples` of the OpenAPI document. */

interface Sample {
	lang: "typescript" | "python";
	label: string;
	source: string;
}

const TYPESCRIPT_START = `import { Tapedeck } from "@tapedeck/client";

const client = new Tapedeck(); // TAPEDECK_URL and TAPEDECK_API_KEY

`;
const PYTHON_START = `from tapedeck import Tapedeck

client = Tapedeck()  # TAPEDECK_URL and TAPEDECK_API_KEY

`;

interface Calls {
	typescript: string;
	python: string;
}

/** By operation. What a client has no method for is called by `request`, or not at all. */
const CALLS: Readonly<Record<string, Partial<Calls>>> = {
	listJobs: {
		typescript: `for await (const job of client.jobs.list({ q: "build:123" })) {
  console.log(job.name, job.status);
}`,
		python: `for job in client.jobs.list(q="build:123"):
    print(job["name"], job["status"])`,
	},
	createJob: {
		typescript: `const job = await client.jobs.create({
  runnerId: 1,
  displayId: ":99",
  name: "Checkout tests",
  stopCondition: "duration",
  stopConditionConfig: { durationSeconds: 30 },
});
await client.jobs.wait(job.id, "playable");`,
		python: `job = client.jobs.create(
    {
        "runnerId": 1,
        "displayId": ":99",
        "name": "Checkout tests",
        "stopCondition": "duration",
        "stopConditionConfig": {"durationSeconds": 30},
    }
)
client.jobs.wait(job["id"], "playable")`,
	},
	getJob: {
		typescript: `const job = await client.jobs.get(42);
const playable = await client.jobs.wait(42, "playable", { timeoutSeconds: 120 });`,
		python: `job = client.jobs.get(42)
playable = client.jobs.wait(42, "playable", timeout=120)`,
	},
	updateJob: {
		typescript: `const job = await client.jobs.update(42, { outcome: "failed", labels: { flaky: "yes" } });`,
		python: `job = client.jobs.update(42, {"outcome": "failed", "labels": {"flaky": "yes"}})`,
	},
	cancelJob: {
		typescript: "const job = await client.jobs.cancel(42);",
		python: "job = client.jobs.cancel(42)",
	},
	changePrivacy: {
		typescript: `await client.jobs.setPrivacy(42, true);
try {
  // Nothing of what the display shows now is recorded.
} finally {
  await client.jobs.setPrivacy(42, false);
}`,
		python: `client.jobs.set_privacy(42, True)
try:
    ...  # Nothing of what the display shows now is recorded.
finally:
    client.jobs.set_privacy(42, False)`,
	},
	listJobEvents: {
		typescript: `for await (const event of client.jobs.events(42)) {
  console.log(event.at, event.type);
}`,
		python: `for event in client.jobs.events(42):
    print(event["at"], event["type"])`,
	},
	listJobMarkers: {
		typescript: `for await (const marker of client.jobs.markers(42)) {
  console.log(marker.offsetSeconds, marker.label);
}`,
		python: `for marker in client.jobs.markers(42):
    print(marker["offsetSeconds"], marker["label"])`,
	},
	createJobMarker: {
		typescript: `const marker = await client.jobs.addMarker(42, { label: "Payment form shown", kind: "step" });`,
		python: `marker = client.jobs.mark(42, "Payment form shown", kind="step")`,
	},
	createJobMarkers: {
		typescript: `const markers = await client.jobs.addMarkers(42, [
  { label: "Cart", kind: "pass", at: "2026-11-21T01:12:12.500Z" },
  { label: "Total", kind: "fail", at: "2026-11-21T01:12:20.000Z" },
]);`,
		python: `markers = client.jobs.mark_all(
    42,
    [
        {"label": "Cart", "kind": "pass", "at": "2026-11-21T01:12:12.500Z"},
        {"label": "Total", "kind": "fail", "at": "2026-11-21T01:12:20.000Z"},
    ],
)`,
	},
	listTracks: {
		typescript: `for (const track of await client.jobs.tracks(42)) {
  console.log(track.name, track.lines);
}`,
		python: `for track in client.jobs.tracks(42):
    print(track["name"], track["lines"])`,
	},
	readTrack: {
		typescript: `for await (const line of client.jobs.track(42, "log", { level: "error" })) {
  console.log(line.offsetSeconds, line.text);
}`,
		python: `for line in client.jobs.track(42, "log", level="error"):
    print(line["offsetSeconds"], line["text"])`,
	},
	appendToTrack: {
		typescript: `const track = await client.jobs.addTrack(42, "log", [
  { at: new Date(), text: "POST /checkout answered 500", level: "error" },
]);`,
		python: `track = client.jobs.add_track_lines(
    42,
    "log",
    [{"text": "POST /checkout answered 500", "level": "error"}],
)`,
	},
	deleteJobMarker: {
		typescript: "await client.jobs.deleteMarker(42, 7);",
		python: "client.jobs.delete_marker(42, 7)",
	},
	listRecordings: {
		typescript: `for await (const recording of client.recordings.list({ q: "build:123 outcome:failed" })) {
  console.log(recording.name, recording.url);
}`,
		python: `for recording in client.recordings.list(q="build:123 outcome:failed"):
    print(recording["name"], recording["url"])`,
	},
	getRecording: {
		typescript: "const recording = await client.recordings.get(12);",
		python: "recording = client.recordings.get(12)",
	},
	updateRecording: {
		typescript: `const recording = await client.recordings.update(12, { pinned: true });`,
		python: `recording = client.recordings.update(12, {"pinned": True})`,
	},
	deleteRecording: {
		typescript: "await client.recordings.delete(12);",
		python: "client.recordings.delete(12)",
	},
	getRecordingVideo: {
		typescript: `import { writeFile } from "node:fs/promises";

const { body } = await client.recordings.download(12);
await writeFile("recording-12.mp4", body);`,
		python: `client.recordings.download(12, "recording-12.mp4")`,
	},
	getRecordingClip: {
		typescript: `import { writeFile } from "node:fs/promises";

const { bytes } = await client.recordings.clip(12, { from: 60, to: 75 });
await writeFile("clip-12.mp4", bytes);`,
	},
	getRecordingDigest: {
		typescript: "const markdown = await client.recordings.digest(12, { maxTokens: 1_000 });",
	},
	getRecordingFrame: {
		typescript: `import { writeFile } from "node:fs/promises";

await writeFile("failure-12.jpg", await client.recordings.frame(12, "failure"));`,
	},
	listShareLinks: {
		typescript: "const links = await client.recordings.links(12);",
	},
	createShareLink: {
		typescript: `const expiresAt = "2027-01-31T00:00:00Z";
const page = await client.recordings.share(12, { expiresAt, at: 12.5, include: ["tests", "steps"] });
const clip = await client.recordings.share(12, { expiresAt, opens: "clip", from: 10, to: 20 });`,
		python: `from datetime import datetime, timedelta, timezone

week = datetime.now(timezone.utc) + timedelta(days=7)
page = client.recordings.share(12, expires_at=week, at=12.5, include=["tests", "steps"])
clip = client.recordings.share(12, expires_at=week, opens="clip", start=10, end=20)`,
	},
	revokeShareLink: {
		typescript: "await client.recordings.revokeLink(12, 5);",
		python: "client.recordings.revoke_link(12, 5)",
	},
	createSignedUrl: {
		typescript: "const { url } = await client.recordings.signedUrl(12, { expiresInSeconds: 3_600 });",
		python: `url = client.recordings.signed_url(12, expires_in_seconds=3600)["url"]`,
	},
	listRecordingMarkers: {
		typescript: `for await (const marker of client.recordings.markers(12)) {
  console.log(marker.offsetSeconds, marker.label);
}`,
		python: `for marker in client.recordings.markers(12):
    print(marker["offsetSeconds"], marker["label"])`,
	},
	createRecordingMarker: {
		typescript: `const marker = await client.recordings.addMarker(12, { label: "Payment form shown", offsetSeconds: 12.5 });`,
		python: `marker = client.recordings.mark(12, "Payment form shown", offset_seconds=12.5)`,
	},
	createRecordingMarkers: {
		typescript: `const markers = await client.recordings.addMarkers(12, [
  { label: "Cart", kind: "pass", offsetSeconds: 12.5 },
  { label: "Total", kind: "fail", offsetSeconds: 20 },
]);`,
		python: `markers = client.recordings.mark_all(
    12,
    [
        {"label": "Cart", "kind": "pass", "offsetSeconds": 12.5},
        {"label": "Total", "kind": "fail", "offsetSeconds": 20},
    ],
)`,
	},
	deleteRecordingMarker: {
		typescript: "await client.recordings.deleteMarker(12, 7);",
		python: "client.recordings.delete_marker(12, 7)",
	},
	listRunners: {
		typescript: `for await (const runner of client.runners.list()) {
  console.log(runner.name, runner.state);
}`,
		python: `for runner in client.runners.list():
    print(runner["name"], runner["state"])`,
	},
	getRunner: {
		typescript: "const runner = await client.runners.get(1);",
		python: "runner = client.runners.get(1)",
	},
	renameRunner: {
		typescript: `await client.request("PATCH", "/v1/runners/1", { body: { name: "ci-1" } });`,
		python: `client.request("PATCH", "/v1/runners/1", body={"name": "ci-1"})`,
	},
	createRunnerToken: {
		typescript: `const token = await client.request("POST", "/v1/runner-tokens", { body: { name: "ci-1" } });`,
		python: `token = client.request("POST", "/v1/runner-tokens", body={"name": "ci-1"})`,
	},
	setRetention: {
		typescript: `const body = { maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null, trashHours: 24 };
const retention = await client.request("PUT", "/v1/retention", { body });`,
		python: `body = {"maxAgeDays": 30, "maxDiskPercent": 80, "maxBytes": None, "trashHours": 24}
retention = client.request("PUT", "/v1/retention", body=body)`,
	},
	previewRetention: {
		typescript: `const body = { maxAgeDays: 7, maxDiskPercent: 80, maxBytes: null };
const preview = await client.request("POST", "/v1/retention/preview", { body });`,
		python: `body = {"maxAgeDays": 7, "maxDiskPercent": 80, "maxBytes": None}
preview = client.request("POST", "/v1/retention/preview", body=body)`,
	},
	setRecordingSettings: {
		typescript: `const body = { keep: "failed", graceSeconds: 3600, maxDurationSeconds: null };
const settings = await client.request("PUT", "/v1/recording-settings", { body });`,
		python: `body = {"keep": "failed", "graceSeconds": 3600, "maxDurationSeconds": None}
settings = client.request("PUT", "/v1/recording-settings", body=body)`,
	},
	createTestResults: {
		typescript: `await client.jobs.addTests(42, [{ key: "login#1", test: "Login", outcome: "failed", message: "no button" }]);`,
		python: `result = {"key": "login#1", "test": "Login", "outcome": "failed", "message": "no button"}
client.jobs.add_tests(42, [result])`,
	},
	listTestResults: {
		typescript: `for await (const result of client.tests.list({ q: "outcome:failed new:yes" })) console.log(result.test);`,
		python: `for result in client.tests.list(q="outcome:failed new:yes"):
    print(result["test"])`,
	},
	getTestResult: {
		typescript: "const result = await client.tests.get(1);",
		python: "result = client.tests.get(1)",
	},
	getTestHistory: {
		typescript: `const { data, summary } = await client.tests.history({ test: "Login" });`,
		python: `history = client.tests.history(test="Login")`,
	},
	updateGridSession: {
		typescript: `const body = { outcome: "failed", message: "no button" };
await client.request("PATCH", "/v1/sessions/2c9e5f", { body });`,
		python: `body = {"outcome": "failed", "message": "no button"}
client.request("PATCH", "/v1/sessions/2c9e5f", body=body)`,
	},
	setFailureTriage: {
		typescript: `const body = { testId: 7, mutedUntil: "2026-12-01T00:00:00Z", reason: "The shop moves." };
const triage = await client.request("PUT", "/v1/failure-triage", { body });`,
		python: `body = {"testId": 7, "mutedUntil": "2026-12-01T00:00:00Z", "reason": "The shop moves."}
triage = client.request("PUT", "/v1/failure-triage", body=body)`,
	},
	followEvents: {
		typescript: `for await (const event of client.events()) {
  if (event.type === "job") console.log(event.data.name, event.data.status);
}`,
		python: `for event in client.events():
    if event["type"] == "job":
        print(event["data"]["name"], event["data"]["status"])`,
	},
};

/** Of path parameters, as in the examples of the document. */
const EXAMPLE_IDS: Readonly<Record<string, string | number>> = {
	recordingId: 12,
	build: 123,
	sessionId: "6c2f1a9e",
};

/**
 * @param path as in the document, such as `/v1/jobs/{jobId}`.
 * @param plain whether the call sends no body and is answered with JSON or nothing, as `request` of the clients expects.
 */
export function codeSamples(operationId: string, method: string, path: string, plain: boolean): readonly Sample[] {
	const { typescript, python }: Partial<Calls> = { ...(plain ? anyCall(method, path) : {}), ...CALLS[operationId] };
	return [
		...(typescript === undefined
			? []
			: [{ lang: "typescript", label: "TypeScript", source: whole(TYPESCRIPT_START, typescript) } as const]),
		...(python === undefined
			? []
			: [{ lang: "python", label: "Python", source: whole(PYTHON_START, python) } as const]),
	];
}

function anyCall(method: string, path: string): Calls {
	const example = path.replace(/\{(\w+)\}/g, (_, name: string) => String(EXAMPLE_IDS[name] ?? 1));
	const call = `client.request("${method}", "${example}")`;
	if (method === "DELETE") return { typescript: `await ${call};`, python: call };
	return { typescript: `const result = await ${call};`, python: `result = ${call}` };
}

/** Imports of the call come first. */
function whole(start: string, call: string): string {
	const [first = "", ...rest] = call.split("\n\n");
	return /^(import|from) /.test(first) ? `${first}\n${start}${rest.join("\n\n")}` : start + call;
}
