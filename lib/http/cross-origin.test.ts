import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEnv } from "#lib/server/env.ts";
import { signIn } from "#test/api-people.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const ALLOWED = "https://reports.example.com";
const OTHERS = [
	...["https://reports.example.com.evil.example", "http://reports.example.com", "https://reports.example.com:8443"],
	...["https://evil.example", "null", "https://REPORTS.example.com", "https://reports.example.com/"],
];

/** Headers by which a browser would allow something. */
const corsOf = (headers: Headers): Record<string, string> =>
	Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
const preflight = (origin: string, method = "POST") => ({
	token: null,
	headers: {
		origin,
		"access-control-request-method": method,
		"access-control-request-headers": "authorization,content-type",
	},
});

describe("with TAPEDECK_ALLOWED_ORIGINS", () => {
	let api: TestApi;
	beforeAll(async () => {
		api = await startTestApi({ TAPEDECK_ALLOWED_ORIGINS: `https://ci.example.com:8443, ${ALLOWED}` });
	});
	afterAll(async () => {
		await api.stop();
		await removeTestFolder();
	});
	const get = (path: string, headers: Record<string, string>, token?: string | null) =>
		api.call("GET", path, { headers, ...(token === undefined ? {} : { token }) });

	test("pages of these origins read what is answered to their key, also errors, and no cookie is ever allowed", async () => {
		for (const origin of [ALLOWED, "https://ci.example.com:8443"]) {
			for (const path of ["/v1/jobs", "/v1/jobs/999", "/v1/nothing", "/v1/recordings/1/video"]) {
				const { headers } = await get(path, { origin });
				expect(headers.get("access-control-allow-origin"), path).toBe(origin);
				expect(headers.get("access-control-allow-credentials"), path).toBeNull();
				expect(headers.get("vary"), path).toBe("Origin");
				expect(headers.get("access-control-expose-headers")?.split(", ")).toEqual(
					expect.arrayContaining(["ETag", "Location", "Retry-After", "X-Request-Id"]),
				);
			}
		}
		expect(corsOf((await get("/v1/jobs", { origin: ALLOWED }, "tdk_unknown")).headers)).toMatchObject({
			"access-control-allow-origin": ALLOWED,
		});
	});

	test("a preflight allows the methods and headers of clients, before the call is authorized", async () => {
		for (const path of ["/v1/jobs", "/v1/jobs/1/markers/batch", "/v1/uploads", "/v1/uploads/abc"]) {
			const answer = await api.call("OPTIONS", path, preflight(ALLOWED, "PATCH"));
			expect([answer.status, answer.body]).toEqual([204, null]);
			expect(corsOf(answer.headers)).toEqual({
				"access-control-allow-origin": ALLOWED,
				"access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
				"access-control-allow-headers": expect.stringMatching(
					/^Authorization, Content-Type, Idempotency-Key, .*Tus-Resumable.*Upload-Offset/,
				),
				"access-control-max-age": "600",
			});
			expect(answer.headers.get("vary")).toBe("Origin");
		}
	});

	test("other origins get nothing, not even similar ones, and caches keep the answers apart", async () => {
		for (const origin of OTHERS) {
			const read = await get("/v1/jobs", { origin });
			expect([read.status, corsOf(read.headers)], origin).toEqual([200, {}]);
			expect(read.headers.get("vary")).toBe("Origin");
			expect(corsOf((await api.call("OPTIONS", "/v1/jobs", preflight(origin))).headers), origin).toEqual({});
		}
		const without = await get("/v1/jobs", {});
		expect([corsOf(without.headers), without.headers.get("vary")]).toEqual([{}, "Origin"]);
	});

	test("calls without a key are not read by other origins: cookies, links, signing in and pages", async () => {
		const cookie = (await signIn(api)).cookie();
		const byCookie = await get("/v1/jobs", { origin: ALLOWED, cookie }, null);
		expect([byCookie.status, corsOf(byCookie.headers)]).toEqual([200, {}]);
		const others: Record<string, string>[] = [{}, { authorization: "Basic dTpw" }, { authorization: "Bearer " }];
		for (const headers of others) {
			const answer = await get("/v1/health", { origin: ALLOWED, ...headers }, null);
			expect([answer.status, corsOf(answer.headers)]).toEqual([200, {}]);
		}
		const change = await api.call("POST", "/v1/jobs", {
			...{ token: null, body: {}, headers: { origin: ALLOWED, cookie, "sec-fetch-site": "cross-site" } },
		});
		expect([change.status, corsOf(change.headers)]).toEqual([403, {}]);
		for (const path of ["/metrics", "/install.sh", "/api/auth/get-session", "/jobs"]) {
			expect(corsOf((await get(path, { origin: ALLOWED })).headers), path).toEqual({});
			expect(corsOf((await api.call("OPTIONS", path, preflight(ALLOWED))).headers), path).toEqual({});
		}
	});

	test("the headers of uploads and files can be read", async () => {
		const video = await readFile(await makeVideo("recorder.mp4"));
		const origin = { origin: ALLOWED, "tus-resumable": "1.0.0" };
		const created = await api.call("POST", "/v1/uploads", {
			headers: { ...origin, "upload-length": String(video.length), "upload-metadata": `filetype ${btoa("video/mp4")}` },
		});
		expect(created.status).toBe(201);
		const path = new URL(created.headers.get("location") ?? "", api.url).pathname;
		const sent = await api.call("PATCH", path, {
			raw: video,
			headers: { ...origin, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
		});
		expect(sent.status).toBe(204);
		const head = await api.call("HEAD", path, { headers: origin });
		const id = sent.headers.get("tapedeck-recording");
		const file = await get(`/v1/recordings/${id}/video`, { origin: ALLOWED, range: "bytes=0-99" });
		expect(file.status).toBe(206);
		for (const { headers } of [created, sent, head, file]) {
			expect(headers.get("access-control-allow-origin")).toBe(ALLOWED);
			expect(headers.get("access-control-allow-credentials")).toBeNull();
			const exposed = headers.get("access-control-expose-headers")?.toLowerCase().split(/, ?/) ?? [];
			const safe = ["cache-control", "content-length", "content-type", "last-modified"];
			const own =
				/^(access-control-|content-security|cross-origin|referrer|strict|x-content|x-frame|vary|date|transfer-encoding|connection|keep-alive|tus-(?!resumable))/;
			const hidden = [...headers.keys()].filter((name) => !exposed.includes(name) && !safe.includes(name));
			expect(hidden.filter((name) => !own.test(name))).toEqual([]);
		}
	});
});

test("without TAPEDECK_ALLOWED_ORIGINS, no origin is allowed anything", async () => {
	const api = await startTestApi();
	try {
		for (const origin of [ALLOWED, api.url]) {
			const { headers } = await api.call("GET", "/v1/jobs", { headers: { origin } });
			expect([corsOf(headers), headers.get("vary")]).toEqual([{}, null]);
			expect(corsOf((await api.call("OPTIONS", "/v1/jobs", preflight(origin))).headers)).toEqual({});
		}
	} finally {
		await api.stop();
	}
});

test("a value that is not an origin is reported at the start", () => {
	expect(readEnv({ TAPEDECK_ALLOWED_ORIGINS: " https://a.example , http://127.0.0.1:8080," }).allowedOrigins).toEqual([
		...["https://a.example", "http://127.0.0.1:8080"],
	]);
	for (const wrong of [
		...["*", "null", "a.example", "https://a.example/", "https://a.example/path", "https://a.example:443"],
		...[
			"ftp://a.example",
			"https://*.example",
			"https://A.example",
			"https://u:p@a.example",
			"https://a.example https://b.example",
		],
	]) {
		expect(() => readEnv({ TAPEDECK_ALLOWED_ORIGINS: wrong }), wrong).toThrow(
			/^TAPEDECK_ALLOWED_ORIGINS must be origins such as https:\/\/ci\.example\.com, .+commas/,
		);
	}
});
