/** The vectors before they are recorded: what clients call, and which answers get lost on the way. */
import type { Exchange, Vector } from "./replay-server.ts";

type Request = Exchange["request"];

export interface Scenario extends Pick<Vector, "title" | "operation" | "arguments"> {
	/** The client's requests. Responses are recorded, except those given here. */
	requests: (Request | Exchange)[];
	/** The key of the caller in the recording: all scopes, `jobs:read` alone, or none that is known. */
	key?: "full" | "reader" | "unknown";
}

const AUTHORIZED = { authorization: "Bearer tdk_vectors" };
const KEYED = { ...AUTHORIZED, "content-type": "application/json", "idempotency-key": "*" };
const SENDS_JSON = { ...AUTHORIZED, "content-type": "application/json" };

const get = (path: string, query?: Request["query"]): Request => ({
	method: "GET",
	path,
	...(query === undefined ? {} : { query }),
	headers: AUTHORIZED,
});
const post = (path: string, body: unknown, headers: Record<string, string> = SENDS_JSON): Request => ({
	method: "POST",
	path,
	headers,
	body,
});
const cut = (request: Request): Exchange => ({ request, response: { cut: true } });
const again = (request: Request): Request => ({
	...request,
	headers: { ...request.headers, "idempotency-key": "<same>" },
});
/** The dashboard's response over its limits, and while it stops. */
const busy = (request: Request, status: 429 | 503): Exchange => {
	const [code, title] =
		status === 429 ? ["too_many_requests", "Too many requests"] : ["unavailable", "Temporarily unavailable"];
	return {
		request,
		response: {
			status,
			headers: { "content-type": "application/problem+json", "retry-after": "1" },
			body: {
				type: `urn:tapedeck:problem:${code}`,
				...{ title, status, code, detail: "Call again in 1 s.", requestId: "00000000-0000-4000-8000-000000000000" },
			},
		},
	};
};

const CHECKOUT = {
	...{ runnerId: 1, displayId: ":99", name: "Checkout", labels: { build: "123", branch: "main" } },
	...{ stopCondition: "duration", stopConditionConfig: { durationSeconds: 30 } },
};
const SEARCH = { runnerId: 1, displayId: ":99", name: "Suche nach „Größe“, 検索", stopCondition: "interrupt" };
const ANYWHERE = { selector: { labels: {}, display: "any" }, name: "Anywhere", stopCondition: "interrupt" };
const RESULTS = [
	{ label: "Total", kind: "fail", at: "2026-11-21T10:00:02.000Z" },
	{ label: "Cart", kind: "pass", at: "2026-11-21T10:00:01.500Z" },
];
const WITH_MESSAGE = {
	label: "The total is right",
	kind: "fail",
	offsetSeconds: 1.25,
	message: "AssertionError: expected 3 items\n\n- Expected: 3\n+ Received: 2",
};
const POSITIONS = [
	{ label: "Total", kind: "note", offsetSeconds: 1 },
	{ label: "Cart", offsetSeconds: 0.5 },
];
const FAULTY = {
	runnerId: 999,
	displayId: "99",
	stopCondition: "duration",
	stopConditionConfig: { durationSeconds: 0 },
};

/** Scenarios in this order, on a new dashboard with one runner, display `:99`, and one uploaded recording. */
export const SCENARIOS: Record<string, Scenario[]> = {
	jobs: [
		{
			title: "a job is created with an idempotency key",
			operation: "createJob",
			arguments: { body: CHECKOUT },
			requests: [post("/v1/jobs", CHECKOUT, KEYED)],
		},
		{
			title: "a job whose answer is lost is created again with the same key",
			operation: "createJob",
			arguments: { body: SEARCH },
			requests: [cut(post("/v1/jobs", SEARCH, KEYED)), again(post("/v1/jobs", SEARCH, KEYED))],
		},
		{
			title: "after 429 and 503, a job is created with the same key when Retry-After is over",
			operation: "createJob",
			arguments: { body: ANYWHERE },
			requests: [
				busy(post("/v1/jobs", ANYWHERE, KEYED), 429),
				busy(again(post("/v1/jobs", ANYWHERE, KEYED)), 503),
				again(post("/v1/jobs", ANYWHERE, KEYED)),
			],
		},
		{
			title: "a job that is not valid has every fault in its error",
			operation: "createJob",
			arguments: { body: FAULTY },
			requests: [post("/v1/jobs", FAULTY, KEYED)],
		},
		{ title: "a job is read", operation: "getJob", arguments: { jobId: 1 }, requests: [get("/v1/jobs/1")] },
		{
			title: "a job is read again after the connection broke",
			operation: "getJob",
			arguments: { jobId: 2 },
			requests: [cut(get("/v1/jobs/2")), get("/v1/jobs/2")],
		},
		{
			title: "a job that does not exist is an error",
			operation: "getJob",
			arguments: { jobId: 999 },
			requests: [get("/v1/jobs/999")],
		},
		{
			title: "a list is read page by page, with its filter",
			operation: "listJobs",
			arguments: { q: "status:queued", limit: 2 },
			requests: [
				get("/v1/jobs", { q: "status:queued", limit: "2" }),
				get("/v1/jobs", { q: "status:queued", limit: "2", cursor: "<next>" }),
			],
		},
		{
			title: "a filter that is not valid is an error with the place in the query",
			operation: "listJobs",
			arguments: { q: "sweet:none", limit: 2 },
			requests: [get("/v1/jobs", { q: "sweet:none", limit: "2" })],
		},
		{
			title: "labels and the outcome of a job are changed",
			operation: "updateJob",
			arguments: { jobId: 1, body: { labels: { flaky: "yes", branch: null }, outcome: "failed" } },
			requests: [
				{ ...post("/v1/jobs/1", { labels: { flaky: "yes", branch: null }, outcome: "failed" }), method: "PATCH" },
			],
		},
		{
			title: "a moment is marked by its time",
			operation: "createJobMarker",
			arguments: { jobId: 1, body: { label: "Pay is clicked", kind: "step", at: "2026-11-21T10:00:00.250Z" } },
			requests: [post("/v1/jobs/1/markers", { label: "Pay is clicked", kind: "step", at: "2026-11-21T10:00:00.250Z" })],
		},
		{
			title: "many moments are marked in one call",
			operation: "createJobMarkers",
			arguments: { jobId: 1, body: { markers: RESULTS } },
			requests: [post("/v1/jobs/1/markers/batch", { markers: RESULTS })],
		},
		{
			title: "of many moments none is marked if one is not valid, and its place is in the error",
			operation: "createJobMarkers",
			arguments: { jobId: 1, body: { markers: [...RESULTS, { label: "" }] } },
			requests: [post("/v1/jobs/1/markers/batch", { markers: [...RESULTS, { label: "" }] })],
		},
		{
			title: "the markers of a job are listed",
			operation: "listJobMarkers",
			arguments: { jobId: 1 },
			requests: [get("/v1/jobs/1/markers")],
		},
		{
			title: "a job that waits for its runner begins private",
			operation: "changePrivacy",
			arguments: { jobId: 1, body: { on: true } },
			requests: [post("/v1/jobs/1/privacy", { on: true })],
		},
		{
			title: "the privacy of a job that waits ends before it begins",
			operation: "changePrivacy",
			arguments: { jobId: 1, body: { on: false } },
			requests: [post("/v1/jobs/1/privacy", { on: false })],
		},
		{
			title: "a job is cancelled, without a body",
			operation: "cancelJob",
			arguments: { jobId: 2 },
			requests: [{ method: "POST", path: "/v1/jobs/2/cancel", headers: AUTHORIZED }],
		},
		{
			title: "a job that has ended cannot become private",
			operation: "changePrivacy",
			arguments: { jobId: 2, body: { on: true } },
			requests: [post("/v1/jobs/2/privacy", { on: true })],
		},
		{
			title: "waiting for a job that has ended returns it",
			operation: "getJob",
			arguments: { jobId: 2, waitFor: "ended", timeoutSeconds: 30 },
			requests: [get("/v1/jobs/2", { waitFor: "ended", timeoutSeconds: "30" })],
		},
	],
	recordings: [
		{
			title: "a recording is read",
			operation: "getRecording",
			arguments: { recordingId: 1 },
			requests: [get("/v1/recordings/1")],
		},
		{
			title: "recordings are listed",
			operation: "listRecordings",
			arguments: { q: "uploaded", limit: 10 },
			requests: [get("/v1/recordings", { q: "uploaded", limit: "10" })],
		},
		{
			title: "a recording is renamed and pinned",
			operation: "updateRecording",
			arguments: { recordingId: 1, body: { name: "Uploaded, kept", pinned: true } },
			requests: [{ ...post("/v1/recordings/1", { name: "Uploaded, kept", pinned: true }), method: "PATCH" }],
		},
		{
			title: "a position in a recording is marked",
			operation: "createRecordingMarker",
			arguments: { recordingId: 1, body: { label: "The total is wrong", kind: "fail", offsetSeconds: 1.5 } },
			requests: [post("/v1/recordings/1/markers", { label: "The total is wrong", kind: "fail", offsetSeconds: 1.5 })],
		},
		{
			title: "a marker has a message of several lines",
			operation: "createRecordingMarker",
			arguments: { recordingId: 1, body: WITH_MESSAGE },
			requests: [post("/v1/recordings/1/markers", WITH_MESSAGE)],
		},
		{
			title: "a marker behind the end is an error",
			operation: "createRecordingMarker",
			arguments: { recordingId: 1, body: { label: "Too late", kind: "note", offsetSeconds: 3600 } },
			requests: [post("/v1/recordings/1/markers", { label: "Too late", kind: "note", offsetSeconds: 3600 })],
		},
		{
			title: "many positions are marked in one call",
			operation: "createRecordingMarkers",
			arguments: { recordingId: 1, body: { markers: POSITIONS } },
			requests: [post("/v1/recordings/1/markers/batch", { markers: POSITIONS })],
		},
		{
			title: "a recording is shared for ever",
			operation: "createShareLink",
			arguments: { recordingId: 1, body: { expiresAt: null } },
			requests: [post("/v1/recordings/1/links", { expiresAt: null })],
		},
		{
			title: "a link opens a clip alone",
			operation: "createShareLink",
			arguments: { recordingId: 1, body: { expiresAt: null, opens: "clip", from: 0.5, to: 1.5 } },
			requests: [post("/v1/recordings/1/links", { expiresAt: null, opens: "clip", from: 0.5, to: 1.5 })],
		},
		{
			title: "a signed URL is created",
			operation: "createSignedUrl",
			arguments: { recordingId: 1, expiresInSeconds: 600 },
			requests: [get("/v1/recordings/1/url", { expiresInSeconds: "600" })],
		},
		{
			title: "a recording is deleted, and there is no answer to read",
			operation: "deleteRecording",
			arguments: { recordingId: 1 },
			requests: [{ method: "DELETE", path: "/v1/recordings/1", headers: AUTHORIZED }],
		},
		{
			title: "a deletion whose answer was lost has been carried out",
			operation: "deleteRecording",
			arguments: { recordingId: 1 },
			requests: [
				cut({ method: "DELETE", path: "/v1/recordings/1", headers: AUTHORIZED }),
				{ method: "DELETE", path: "/v1/recordings/1", headers: AUTHORIZED },
			],
		},
	],
	access: [
		{
			title: "runners are listed with their displays",
			operation: "listRunners",
			arguments: { limit: 50 },
			requests: [get("/v1/runners", { limit: "50" })],
		},
		{
			title: "a key that is not known is an error, and not tried again",
			operation: "getJob",
			arguments: { jobId: 1 },
			key: "unknown",
			requests: [get("/v1/jobs/1")],
		},
		{
			title: "a key without the scope is an error that names it",
			operation: "cancelJob",
			arguments: { jobId: 1 },
			key: "reader",
			requests: [{ method: "POST", path: "/v1/jobs/1/cancel", headers: AUTHORIZED }],
		},
	],
};
