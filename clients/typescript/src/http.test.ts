/** Calls over a real socket: tries, time limits, and failures. */
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../test/processes/free-port.ts";
import { type Exchange, startReplayServer, VECTOR_KEY } from "../../../test/vectors/replay-server.ts";
import { Tapedeck, TapedeckError } from "./index.ts";

const KEY = { authorization: `Bearer ${VECTOR_KEY}` };
const JOB = { id: 7, status: "queued", startedAt: null, recording: null };
const ENDED = { id: 7, status: "completed", startedAt: "2026-11-21T01:12:00.000Z", recording: { state: "ready" } };
const ORDER = { runnerId: 1, displayId: ":99", stopCondition: "interrupt" } as const;
const problem = (status: number, code: string, more: object = {}) => ({
	status,
	headers: { "content-type": "application/problem+json" },
	body: {
		type: `urn:tapedeck:problem:${code}`,
		title: code,
		status,
		code,
		detail: `${code}!`,
		requestId: "r-1",
		...more,
	},
});
const get = (path: string, response: Exchange["response"], query = {}): Exchange => ({
	request: { method: "GET", path, query, headers: KEY },
	response,
});

async function replay(...exchanges: Exchange[]) {
	const server = await startReplayServer(exchanges);
	onTestFinished(() => server.stop());
	return { server, client: new Tapedeck({ url: `${server.url}/`, apiKey: VECTOR_KEY }) };
}

const failureOf = (call: Promise<unknown>): Promise<TapedeckError> =>
	call.then(
		(result) => Promise.reject(new Error(`it returned ${JSON.stringify(result)}`)),
		(error) => error,
	);

test("a job is created once although connections break, and each call has a key of its own", async () => {
	const create = (key: string, response: Exchange["response"]): Exchange => ({
		request: { method: "POST", path: "/v1/jobs", headers: { ...KEY, "idempotency-key": key }, body: ORDER },
		response,
	});
	const { server, client } = await replay(
		create("*", { cut: true }),
		create("<same>", { cut: true }),
		create("<same>", { status: 201, body: JOB }),
		create("mine", { status: 201, body: JOB }),
	);
	expect(await client.jobs.create(ORDER)).toEqual(JOB);
	expect(await client.jobs.create(ORDER, { idempotencyKey: "mine" })).toEqual(JOB);
	expect(server.complaints()).toEqual([]);
});

test("a marker, which has no key, is sent again only if it was not added", async () => {
	const mark = (response: Exchange["response"]): Exchange => ({
		request: { method: "POST", path: "/v1/jobs/7/markers", body: { label: "Pay" } },
		response,
	});
	const { server, client } = await replay(
		mark({ ...problem(503, "unavailable"), headers: { "retry-after": "0" } }),
		mark({ status: 201, body: { id: 1 } }),
		mark({ cut: true }),
	);
	expect(await client.jobs.addMarker(7, { label: "Pay" })).toEqual({ id: 1 });
	expect(await failureOf(client.jobs.addMarker(7, { label: "Pay" }))).toMatchObject({ status: 0, code: "unreachable" });
	expect(server.complaints()).toEqual([]);
});

test.each([429, 503])("after %d, the call is repeated no earlier than Retry-After says", async (status) => {
	const { server, client } = await replay(
		get("/v1/jobs/7", { ...problem(status, "busy"), headers: { "retry-after": "1" } }),
		get("/v1/jobs/7", { status: 200, body: JOB }),
	);
	expect(await client.jobs.get(7)).toEqual(JOB);
	const [first = 0, second = 0] = server.times;
	expect(second - first).toBeGreaterThanOrEqual(1_000);
	expect(server.complaints()).toEqual([]);
});

test("waiting for a job goes on when too many calls of the key wait already, and ends with them when its time is over", async () => {
	const query = { waitFor: "playable", timeoutSeconds: "60" };
	const refused = { ...problem(429, "too_many_requests"), headers: { "retry-after": "0" } };
	const { server } = await replay(
		...Array.from({ length: 7 }, () => get("/v1/jobs/7", refused, query)),
		get("/v1/jobs/7", { status: 200, body: ENDED }, query),
		get("/v1/jobs/7", refused, { waitFor: "playable", timeoutSeconds: "0" }),
	);
	const client = new Tapedeck({ url: server.url, apiKey: VECTOR_KEY, retries: 0 });
	expect(await client.jobs.wait(7)).toEqual(ENDED);
	expect(await failureOf(client.jobs.wait(7, "playable", { timeoutSeconds: 0 }))).toMatchObject({ status: 429 });
	expect(server.complaints()).toEqual([]);
});

test("a Retry-After of more than a minute is not waited for", async () => {
	const { client } = await replay(
		get("/v1/jobs/7", { ...problem(429, "too_many_requests"), headers: { "retry-after": "61" } }),
	);
	expect(await failureOf(client.jobs.get(7))).toMatchObject({ status: 429, retryAfterSeconds: 61 });
});

test("an answer of a proxy whose dashboard restarts is no answer", async () => {
	const { server, client } = await replay(
		get("/v1/jobs/7", { status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" }),
		get("/v1/jobs/7", { status: 200, body: JOB }),
	);
	expect(await client.jobs.get(7)).toEqual(JOB);
	expect(server.complaints()).toEqual([]);
});

test("a deletion whose answer was lost has been carried out", async () => {
	const remove = (response: Exchange["response"]): Exchange => ({
		request: { method: "DELETE", path: "/v1/recordings/3", headers: KEY },
		response,
	});
	const { server, client } = await replay(
		remove({ cut: true }),
		remove(problem(404, "not_found")),
		remove(problem(404, "not_found")),
	);
	await client.recordings.delete(3);
	expect(await failureOf(client.recordings.delete(3))).toMatchObject({ status: 404, code: "not_found" });
	expect(server.complaints()).toEqual([]);
});

test("a problem document becomes a TapedeckError with every fault", async () => {
	const errors = [
		{ path: "displayId", code: "invalid_format", message: 'Send the display as ":99".' },
		{ path: "runnerId", code: "invalid_type", message: "Send the runner's id." },
	];
	const { client } = await replay({
		request: { method: "POST", path: "/v1/jobs", body: ORDER },
		response: problem(422, "validation_failed", { errors }),
	});
	const error = await failureOf(client.jobs.create(ORDER));
	expect(error).toBeInstanceOf(TapedeckError);
	expect(error).toMatchObject({ status: 422, code: "validation_failed", errors, requestId: "r-1" });
	expect(error.message).toBe(`displayId: Send the display as ":99".\nrunnerId: Send the runner's id.`);
});

test("answers that are not the API's say what to check", async () => {
	const html = { "content-type": "text/html" };
	const { client, server } = await replay(
		get("/v1/jobs/1", { status: 404, headers: html, body: "<h1>Not here</h1>" }),
		get("/v1/jobs/2", { status: 200, headers: html }),
		get("/v1/jobs/3", { status: 308, headers: { location: "https://elsewhere.example/v1/jobs/3" } }),
	);
	expect(await failureOf(client.jobs.get(1))).toMatchObject({
		code: "not_a_dashboard",
		detail: `The server at ${server.url} is not a Tapedeck dashboard (status 404). Check the url.`,
	});
	expect(await failureOf(client.jobs.get(2))).toMatchObject({ status: 200, code: "not_a_dashboard" });
	expect(await failureOf(client.jobs.get(3))).toMatchObject({
		code: "redirected",
		detail: `${server.url} redirects to https://elsewhere.example/v1/jobs/3. Use the final address as the url.`,
		location: "https://elsewhere.example/v1/jobs/3",
	});
});

test("an answer in another form than JSON is none of a typed call, and text for the others", async () => {
	const plain = { "content-type": "text/plain" };
	const { client } = await replay(
		get("/v1/jobs/1", { status: 200, headers: plain, body: "hello" }),
		get("/v1/captions", { status: 200, headers: plain, body: "hello" }),
		get("/v1/captions", { status: 200, headers: plain, body: "hello" }),
	);
	expect(await failureOf(client.jobs.get(1))).toMatchObject({ status: 200, code: "not_a_dashboard" });
	expect(await client.request("GET", "/v1/captions")).toBe('"hello"');
	const response = await client.open("GET", "/v1/captions");
	expect([response.status, response.bodyUsed, await response.text()]).toEqual([200, false, '"hello"']);
});

test("a server that answers without a content type is no dashboard", async () => {
	const server = createHttpServer((_req, res) => res.end("<!doctype html>"));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const client = new Tapedeck({ url, apiKey: VECTOR_KEY });
	expect(await failureOf(client.request("GET", "/v1/jobs"))).toMatchObject({ code: "not_a_dashboard" });
});

test("calls of a client without a key have no credentials", async () => {
	let sent: string | undefined = "nothing";
	const server = createHttpServer((req, res) => {
		sent = req.headers.authorization;
		res.writeHead(200, { "content-type": "application/json" }).end("{}");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	vi.stubEnv("TAPEDECK_API_KEY", "tdk_of-the-environment");
	onTestFinished(() => void vi.unstubAllEnvs());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	expect(await new Tapedeck({ url, apiKey: null }).request("GET", "/v1/health")).toEqual({});
	expect(sent).toBeUndefined();
});

test("a dashboard that is not there is reported after the tries", async () => {
	const port = await freePort();
	const client = new Tapedeck({ url: `http://127.0.0.1:${port}`, apiKey: VECTOR_KEY, retries: 1 });
	const error = await failureOf(client.jobs.addMarker(1, { label: "x" }));
	expect(error).toMatchObject({ status: 0, code: "unreachable" });
	expect(error.message).toMatch(
		/^The dashboard at http:\/\/127\.0\.0\.1:\d+ can't be reached: connect ECONNREFUSED 127.+\. Check the url, and that it is running\.$/,
	);
});

/** A server that accepts connections and never answers. */
async function startMute() {
	const server = createServer((socket) => socket.on("error", () => socket.destroy()));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a call without an answer ends by its time limit", async () => {
	const client = new Tapedeck({ url: await startMute(), apiKey: VECTOR_KEY, retries: 1 });
	const error = await failureOf(client.request("GET", "/v1/jobs", { timeoutMs: 50 }));
	expect(error).toMatchObject({ status: 0, code: "timeout", message: expect.stringContaining("no response in time") });
});

test("a signal ends a call, and the wait between tries, with its own reason", async () => {
	const reason = new Error("the test is over");
	const silent = new AbortController();
	const client = new Tapedeck({ url: await startMute(), apiKey: VECTOR_KEY });
	const waiting = failureOf(client.jobs.wait(7, "ended", { signal: silent.signal }));
	silent.abort(reason);
	expect(await waiting).toBe(reason);

	const { client: refused, server } = await replay(
		get("/v1/jobs", { ...problem(503, "unavailable"), headers: { "retry-after": "60" } }, { limit: "100" }),
	);
	const between = new AbortController();
	const listing = failureOf(refused.jobs.list({ limit: 100 }, { signal: between.signal }).toArray());
	await vi.waitUntil(() => server.times.length === 1, { timeout: 30_000 });
	between.abort(reason);
	expect(await listing).toBe(reason);
	expect(await failureOf(refused.jobs.get(1, { signal: between.signal }))).toBe(reason);
	expect(server.complaints()).toEqual([]);
});

test("a list reads page after page with the same query, and no further than it is used", async () => {
	const query = { q: "build:123", status: ["failed", "completed"], limit: "2" };
	const page = (data: number[], nextCursor: string | null, cursor = {}): Exchange =>
		get("/v1/jobs", { status: 200, body: { data: data.map((id) => ({ id })), nextCursor } }, { ...query, ...cursor });
	const { client, server } = await replay(
		page([9, 8], "c1"),
		page([7, 6], "c2", { cursor: "c1" }),
		page([5], null, { cursor: "c2" }),
		page([9, 8], "c1"),
		page([7, 6], "c2", { cursor: "c1" }),
	);
	const jobs = client.jobs.list({ q: "build:123", status: ["failed", "completed"], limit: 2 });
	const ids: number[] = [];
	for await (const { id } of jobs) ids.push(id);
	expect(ids).toEqual([9, 8, 7, 6, 5]);
	expect((await jobs.toArray(3)).map(({ id }) => id)).toEqual([9, 8, 7]);
	expect(server.complaints()).toEqual([]);
});

test("waiting goes on over several calls until the job gets there, or its time is over", async () => {
	const wait = (timeoutSeconds: string, body: object): Exchange =>
		get("/v1/jobs/7", { status: 200, body }, { waitFor: "playable", timeoutSeconds });
	const { client, server } = await replay(wait("60", JOB), wait("60", ENDED), wait("0", JOB));
	expect(await client.jobs.wait(7)).toEqual(ENDED);
	expect(await failureOf(client.jobs.wait(7, "playable", { timeoutSeconds: 0 }))).toMatchObject({
		code: "timeout",
		message: "Job 7 is still queued after 0 s. Wait longer, or cancel it.",
	});
	expect(server.complaints()).toEqual([]);
});

test("address and key come from the environment, and the error says what is missing", async () => {
	vi.stubEnv("TAPEDECK_URL", "https://tapedeck.example.com/");
	vi.stubEnv("TAPEDECK_API_KEY", " tdk_from-the-environment\n");
	onTestFinished(() => void vi.unstubAllEnvs());
	expect(new Tapedeck().url).toBe("https://tapedeck.example.com");
	expect(() => new Tapedeck({ url: "tapedeck.example.com" })).toThrow('"tapedeck.example.com" is no address. Set the');
	expect(() => new Tapedeck({ apiKey: "tdk_…" })).toThrow("The API key has characters that no key has. Copy it again.");
	vi.stubEnv("TAPEDECK_URL", "");
	expect(() => new Tapedeck()).toThrow(
		"Set the dashboard's address, such as https://tapedeck.example.com, as url or in TAPEDECK_URL.",
	);
	expect(() => new Tapedeck({ url: "http://localhost:3000", apiKey: "" })).toThrow("Set an API key, which you create");
});
