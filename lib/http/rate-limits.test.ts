import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { signIn } from "#test/api-people.ts";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { inExplore } from "#test/in-explore.ts";
import { lengthenAuditLog } from "#test/long-audit-log.ts";
import { makeLargeVideo } from "#test/videos/large-video.ts";
import { removeTestFolder } from "#test/videos/make-video.ts";
import { until } from "#test/wait.ts";

let api: TestApi;
afterEach(() => api.stop());

test("a key over its rate limit gets 429 with the time to wait, and every response before says how many calls are left", async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_CALLS: "3", TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "2" });
	for (const left of [2, 1, 0]) {
		const { status, headers } = await api.call("GET", "/v1/runners");
		expect(status).toBe(200);
		expect(headers.get("ratelimit-policy")).toBe('"caller";q=3;w=60');
		expect(headers.get("ratelimit")).toMatch(new RegExp(`^"caller";r=${left};t=\\d+$`));
	}
	const refused = await api.call("POST", "/v1/jobs", { body: {} });
	expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	expect(refused.headers.get("ratelimit")).toMatch(/^"caller";r=0;t=\d+$/);
	expect((await api.call("GET", "/v1/recordings/1/video")).status).toBe(404);
	// Runners are exempt: a refused call could lose a recording.
	for (let call = 0; call < 5; call++) {
		expect((await api.call("GET", "/v1/runner", { token: TEST_RUNNER_TOKEN })).status).not.toBe(429);
	}
});

test("an address that guesses keys is refused, while callers with a valid key are not", async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "2" });
	for (const token of ["wrong", null]) expect((await api.call("GET", "/v1/jobs", { token })).status).toBe(401);
	const refused = await api.call("GET", "/v1/jobs", { token: "another" });
	expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
	expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
	expect((await api.call("GET", "/v1/jobs")).status).toBe(200);
	expect((await api.call("GET", "/v1/health", { token: null })).status).toBe(200);
});

test("an expired key, a revoked key and a key of another organization count as unauthenticated", async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "2" });
	const refusedAfterTwo = async (path: string, status: number) => {
		const found = [];
		for (let call = 0; call < 3; call++) found.push((await api.call("GET", path)).status);
		expect(found).toEqual([status, status, 429]);
	};
	const restart = async () => {
		await api.stop();
		api = await startTestApi({ TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "2" });
	};
	await refusedAfterTwo("/v1/jobs?organizationId=999", 403);
	await restart();
	await api.app.db.updateTable("apiKey").set({ expiresAt: 1 }).execute();
	await refusedAfterTwo("/v1/jobs", 401);
	await restart();
	await api.app.db.updateTable("apiKey").set({ revokedAt: 1 }).execute();
	await refusedAfterTwo("/v1/recordings/1/video", 401);
});

test("calls that wait for a job count as streams until they are answered, others of the caller do not", async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_STREAMS: "3" });
	const { runnerId } = await api.signIn("box");
	const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
	const { id } = (await api.call("POST", "/v1/jobs", { body })).body;
	const wait = (goal = "ended", token?: string) =>
		api.call("GET", `/v1/jobs/${id}?waitFor=${goal}&timeoutSeconds=60`, token === undefined ? {} : { token });
	const waiting = [wait(), wait(), wait()];
	const key = { kind: "apiKey", organizationId: 1, apiKeyId: 1, name: "", scopes: [], creatorRole: null } as const;
	// Taken and returned at once, so that it is no place of a call that is still on its way.
	const isFull = () => {
		try {
			api.app.limits.open("streams", { actor: key, address: null })();
			return false;
		} catch {
			return true;
		}
	};
	await until(isFull, "three calls wait");
	const refused = await wait();
	expect(refused.status).toBe(429);
	expect(refused.body).toMatchObject({
		code: "too_many_requests",
		detail: expect.stringContaining("waiting calls (3)"),
	});
	expect(refused.headers.get("retry-after")).toBe("5");
	const stream = await fetch(`${api.url}/v1/events`, { headers: { authorization: `Bearer ${TEST_API_KEY}` } });
	expect(stream.status).toBe(429);
	expect((await api.call("GET", `/v1/jobs/${id}`)).status).toBe(200);
	const owner = await signIn(api);
	const other = (await owner.call("POST", "/v1/api-keys", { body: { name: "other", scopes: ["jobs:read"] } })).body
		.secret;
	const others = wait("ended", other);
	expect((await api.call("POST", `/v1/jobs/${id}/cancel`)).body.status).toBe("cancelled");
	for (const answer of await Promise.all([...waiting, others])) {
		expect(answer).toMatchObject({ status: 200, body: { status: "cancelled" } });
	}
	for (let count = 0; count < 5; count++) expect((await wait()).status).toBe(200);
	// A wait that is refused for another reason uses no slot.
	for (let count = 0; count < 5; count++) {
		expect((await api.call("GET", "/v1/jobs/999?waitFor=ended")).status).toBe(404);
	}
	expect((await wait()).status).toBe(200);
});

test("a caller can hold open only as many streams as the limit allows, and closing one frees its place", async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_STREAMS: "2" });
	const closing: (() => void)[] = [];
	const open = async () => {
		const controller = new AbortController();
		const headers = { authorization: "Bearer tdk_test_0123456789abcdef" };
		const response = await fetch(`${api.url}/v1/events`, { headers, signal: controller.signal });
		closing.push(() => controller.abort());
		return { status: response.status, close: () => controller.abort() };
	};
	const first = await open();
	expect([first.status, (await open()).status, (await open()).status]).toEqual([200, 200, 429]);
	first.close();
	await expect.poll(async () => (await open()).status).toBe(200);
	for (const close of closing) close();
});

test("0 disables a limit", async () => {
	api = await startTestApi({
		TAPEDECK_LIMIT_CALLS: "0",
		TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "0",
		TAPEDECK_LIMIT_STREAMS: "0",
	});
	for (let call = 0; call < 5; call++) {
		const { status, headers } = await api.call("GET", "/v1/runners");
		expect([status, headers.get("ratelimit")]).toEqual([200, null]);
	}
});

test("pages are limited for each person, and for each address without a session; assets, health checks and API calls are not", async () => {
	const openPages = async () => ({
		handle: async (_req: IncomingMessage, res: ServerResponse) => void res.end("page"),
		assets: null,
		close: async () => undefined,
	});
	api = await startTestApi({ TAPEDECK_LIMIT_PAGES: "5", TAPEDECK_TRUSTED_PROXIES: "127.0.0.1" }, { openPages });
	// The sign-in is the first call of its address.
	const owner = await signIn(api);
	const load = async (path: string, headers: Record<string, string> = {}) => {
		const answer = await fetch(`${api.url}${path}`, { headers });
		return { status: answer.status, headers: answer.headers, text: await answer.text() };
	};
	const statuses = async (count: number, path: string, headers?: Record<string, string>) => {
		const found = [];
		for (let each = 0; each < count; each++) found.push((await load(path, headers)).status);
		return found;
	};
	const cookie = owner.cookie();
	expect(await statuses(6, "/recordings", { cookie })).toEqual([200, 200, 200, 200, 200, 429]);
	const refused = await load("/jobs", { cookie });
	expect([refused.status, refused.headers.get("content-type")]).toEqual([429, "text/plain; charset=utf-8"]);
	expect(refused.text).toMatch(/^Rate limit reached: 5 pages per minute\. Reload this page in \d+ s\.\n$/);
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	// The limit covers the user's other addresses as well. A made-up session counts as no session.
	expect(await statuses(1, "/jobs", { cookie, "x-forwarded-for": "10.0.0.9" })).toEqual([429]);
	const forged = (each: number) => ({ cookie: `${cookie.split("=")[0]}=forged${each}`, "x-forwarded-for": "10.0.0.1" });
	for (let each = 0; each < 5; each++) expect((await load("/login", forged(each))).status).toBe(200);
	expect((await load("/shared/x", forged(6))).status).toBe(429);
	expect((await load("/api/auth/get-session", forged(7))).status).toBe(429);
	expect(await statuses(1, "/login", { "x-forwarded-for": "10.0.0.2" })).toEqual([200]);
	for (const path of ["/_next/static/chunks/main.js", "/v1/health"]) {
		expect(await statuses(8, path, { cookie })).toEqual(Array.from({ length: 8 }, () => 200));
	}
	expect((await owner.call("GET", "/v1/jobs")).status).toBe(200);
});

inExplore(describe)("videos and downloads that nobody reads", () => {
	afterAll(removeTestFolder);
	const closing: (() => void)[] = [];
	afterEach(() => {
		for (const close of closing.splice(0)) close();
	});

	/** Asks for something and reads nothing of it. */
	async function openUnread(path: string, token: string | null, address: string) {
		const headers = { "x-forwarded-for": address, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
		const req = request(`${api.url}${path}`, { headers, agent: false });
		req.on("error", () => undefined).end();
		closing.push(() => req.destroy());
		const [res] = (await once(req, "response")) as [IncomingMessage];
		if (res.statusCode === 200 || res.statusCode === 206) return { status: res.statusCode, close: () => req.destroy() };
		return {
			status: res.statusCode,
			retryAfter: res.headers["retry-after"],
			detail: JSON.parse(await text(res)).detail,
		};
	}

	/** Uploads a video that is larger than the buffers of sockets. */
	async function uploadLarge(): Promise<number> {
		const headers = { authorization: `Bearer ${TEST_API_KEY}`, "content-type": "video/mp4" };
		const body = new Uint8Array(await makeLargeVideo("recorder.mp4"));
		const answer = await fetch(`${api.url}/v1/recordings?name=Large`, { method: "POST", headers, body });
		return ((await answer.json()) as { id: number }).id;
	}

	test("are limited for each caller: videos, their ranges and zips of one key, Node of one runner token, all of an address with links", async () => {
		api = await startTestApi({ TAPEDECK_LIMIT_STREAMS: "2", TAPEDECK_TRUSTED_PROXIES: "127.0.0.1" });
		const id = await uploadLarge();
		const video = `/v1/recordings/${id}/video`;
		const zip = `/v1/recordings/download?id=${id}`;
		const owner = await signIn(api);
		const link = (await owner.call("POST", `/v1/recordings/${id}/links`, { body: { expiresAt: null } })).body;
		const shared = `/v1/shared/${link.url.split("/").at(-1)}/video`;
		const { body } = await api.call("GET", `/v1/recordings/${id}/url`);
		const signed = body.url.slice(new URL(body.url).origin.length);
		const node = `/v1/runner/node/${process.arch}`;
		const scopes = ["recordings:read"];
		const otherKey = (await owner.call("POST", "/v1/api-keys", { body: { name: "other", scopes } })).body.secret;
		const refused = { status: 429, retryAfter: "5", detail: expect.stringContaining("videos and downloads (2)") };
		for (const { paths, token, other } of [
			{ paths: [video, zip], token: TEST_API_KEY, other: { path: video, token: otherKey, address: "10.0.0.1" } },
			{ paths: [node], token: TEST_RUNNER_TOKEN, other: { path: video, token: TEST_API_KEY, address: "10.0.0.1" } },
			{ paths: [shared, signed], token: null, other: { path: shared, token: null, address: "10.0.0.2" } },
		]) {
			const [path = "", last = path] = paths;
			const address = "10.0.0.1";
			const first = await openUnread(path, token, address);
			expect([first.status, (await openUnread(last, token, address)).status]).toEqual([200, 200]);
			for (const each of paths) expect(await openUnread(each, token, address)).toEqual(refused);
			expect((await openUnread(other.path, other.token, other.address)).status).toBe(200);
			first.close?.();
			await expect.poll(async () => (await openUnread(path, token, address)).status, { timeout: 20_000 }).toBe(200);
			for (const close of closing.splice(0)) close();
		}
	});

	test("are limited for exports of the audit log, too", async () => {
		api = await startTestApi({ TAPEDECK_LIMIT_STREAMS: "1" });
		const owner = await signIn(api);
		await lengthenAuditLog(api);
		const headers = { cookie: owner.cookie() };
		const unread = await fetch(`${api.url}/v1/audit-log/export`, { headers });
		expect(unread.status).toBe(200);
		expect((await fetch(`${api.url}/v1/audit-log/export`, { headers })).status).toBe(429);
		await unread.body?.cancel();
		const again = async () => {
			const answer = await fetch(`${api.url}/v1/audit-log/export?action=retention.changed`, { headers });
			return `${answer.status} ${await answer.text()}`;
		};
		await expect.poll(again, { timeout: 20_000 }).toBe("200 ");
	});

	test("hold no place when they have been read, refused, or asked for without their bytes", async () => {
		api = await startTestApi({ TAPEDECK_LIMIT_STREAMS: "1" });
		const id = await uploadLarge();
		const node = `/v1/runner/node/${process.arch}`;
		for (let count = 0; count < 3; count++) {
			for (const [path, method, status, token] of [
				[`/v1/recordings/${id}/video`, "GET", 200, TEST_API_KEY],
				[`/v1/recordings/${id}/video`, "HEAD", 200, TEST_API_KEY],
				["/v1/recordings/999/video", "GET", 404, TEST_API_KEY],
				[`/v1/recordings/download?id=${id}`, "GET", 200, TEST_API_KEY],
				["/v1/recordings/download?id=999", "GET", 404, TEST_API_KEY],
				[node, count === 0 ? "GET" : "HEAD", 200, TEST_RUNNER_TOKEN],
				["/v1/runner/node/riscv", "GET", 404, TEST_RUNNER_TOKEN],
			] as const) {
				const ask = async () => {
					const headers = { authorization: `Bearer ${token}` };
					const answer = await fetch(`${api.url}${path}`, { method, headers });
					await answer.arrayBuffer();
					return answer.status;
				};
				// The last bytes may arrive before the server has noticed that they did.
				await expect.poll(ask, { timeout: 20_000 }).toBe(status);
			}
		}
	});
});
