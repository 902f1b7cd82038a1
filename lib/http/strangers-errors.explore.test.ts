/**
 * Malformed requests and broken connections are not faults of the server: they cause neither a 5xx nor an error in the
 * log.
 */

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFile } from "node:fs/promises";
import { get, type IncomingMessage, request, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Person, signIn } from "#test/api-people.ts";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { listenAsOpenIdProvider } from "#test/servers/openid-provider.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { until } from "#test/wait.ts";

const provider = await listenAsOpenIdProvider();
afterAll(() => provider.stop());
afterAll(removeTestFolder);

/** Errors that the server logs from here on. */
function watchLog(api: TestApi): () => string[] {
	const spy = vi.spyOn(api.app.log, "error").mockClear();
	return () => spy.mock.calls.map(([data, message]) => `${message}: ${(data as { err?: Error }).err?.message ?? ""}`);
}

let caller = 0;
/** Each call from an address of its own: better-auth limits the calls of one. */
const elsewhere = () => ({ "x-forwarded-for": `10.0.${(caller >> 8) & 255}.${caller++ & 255}` });

const LABELLED = "?name=A+run&label=build=1&label=team=web";
const LISTS = ["jobs", "jobs/1/events", "jobs/1/markers", "recordings", "recordings/1/markers", "deleted-recordings"];
const MORE_LISTS = [
	"builds",
	"failures",
	"labels?key=build",
	"runners",
	"members",
	"api-keys",
	"audit-log",
	"coverage",
];
const SEARCHES = [
	...[
		"-label:x\\",
		"label:x\\",
		"label:\\",
		"label:x\\=1",
		`label:"a\\"b"`,
		`label:"]"`,
		"label:[0]",
		"label:$.a",
		"label:'",
	],
	...[
		"\\",
		"-\\",
		"%",
		"_",
		"*",
		"AND",
		'"\\\\"',
		"session:\\",
		"runner:\\",
		"runner:9999999999999999",
		"label:é",
		"�",
	],
	...["after:0000-01-01", "-after:0000-01-01", "before:9999-12-31T23:59:59.999Z", `label:${"x".repeat(900)}`],
];
const NUMBERS = ["1.5", "0.5", "1e30", "-1e308", "1e400", "9".repeat(40), "NaN", "x", "-0"];
const SORTINGS = ["id", "id asc", "at asc", "createdAt desc", "createdAt asc", "bytes desc", "durationSeconds desc"];
const NO_TEXT = ["%FF", "%C0%80", "%ED%A0%80", "%F4%90%80%80", "%E2%82", "%00", "%", "%zz", "%u0041"];
const VALUES: unknown[] = [
	...["abc", "", "1e3", "NaN", "0x10", " 1", "9".repeat(22), "\u0000", "a\u0000b", "\ud800", "1; drop table"],
	...[-1, 1.5, 1e30, null, true, {}, [], ["1"], { toString: 1, valueOf: 1 }],
];

onOneDatabase(
	(api) => {
		let owner: Person;
		let errors: () => string[];
		beforeAll(async () => {
			provider.start("http://tapedeck.test/api/auth/callback/oidc");
			const { runnerId } = await api().signIn("box");
			const job = { runnerId, displayId: ":99", stopCondition: "interrupt", labels: { team: "web" } };
			expect((await api().call("POST", "/v1/jobs", { body: job })).status).toBe(201);
			const raw = await readFile(await makeVideo("recorder.mp4"));
			const headers = { "content-type": "video/mp4" };
			expect((await api().call("POST", `/v1/recordings${LABELLED}`, { headers, raw })).status).toBe(201);
			owner = await signIn(api());
		});
		beforeEach(() => {
			errors = watchLog(api());
		});

		const expectNoFault = (what: string, { status, body }: { status: number; body: unknown }) =>
			expect([status < 500, ...errors()], `${what} → ${status} ${JSON.stringify(body)?.slice(0, 300)}`).toEqual([true]);
		const post = (path: string, body: unknown, by: Pick<Person, "call"> = api()) =>
			by.call("POST", path, { token: null, headers: { origin: api().url, ...elsewhere() }, body, redirect: "manual" });
		const get = (path: string, by: Pick<Person, "call"> = api()) =>
			by.call("GET", path, { redirect: "manual", headers: elsewhere() });

		test("any search is answered or refused", async () => {
			for (const list of ["jobs", "recordings", "runners", "jobs/counts"]) {
				for (const q of SEARCHES) {
					expectNoFault(`${list} ${q}`, await get(`/v1/${list}?${new URLSearchParams({ q })}`));
				}
			}
		});

		test("a search of more than 20 words is refused in every list, with what to do", async () => {
			const search = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join("+");
			for (const list of ["jobs", "recordings", "builds", "jobs/counts"]) {
				expect((await get(`/v1/${list}?q=${search(20)}`)).status, list).toBe(200);
				const { status, body } = await get(`/v1/${list}?q=${search(21)}`);
				expect([status, body.errors[0].path], list).toEqual([422, "q"]);
				expect(body.detail).toContain("A search has at most 20 words and filters: remove 1.");
			}
		});

		test("a label that nothing can have is found nowhere, and its absence everywhere", async () => {
			const found = async (list: string, q: string) =>
				(await get(`/v1/${list}?${new URLSearchParams({ q })}`)).body.data.length;
			for (const list of ["jobs", "recordings"]) {
				expect(await found(list, "-label:x\\")).toBe(1);
				expect(await found(list, "label:x\\")).toBe(0);
				expect(await found(list, "label:x\\=1")).toBe(0);
				expect(await found(list, "label:team")).toBe(1);
			}
		});

		test("a cursor that no list has given out is refused", async () => {
			for (const list of [...LISTS, ...MORE_LISTS]) {
				for (const sorting of SORTINGS) {
					for (const number of NUMBERS) {
						const text = sorting.startsWith("id") ? `${sorting}:${number}` : `${sorting}:${number}:1`;
						const path = `/v1/${list}${list.includes("?") ? "&" : "?"}cursor=${Buffer.from(text).toString("base64url")}`;
						expectNoFault(`${list} ${text}`, await get(path, owner));
					}
				}
			}
			const sorted = await get(
				`/v1/recordings?sort=durationSeconds&cursor=${Buffer.from("durationSeconds desc:1.5:1").toString("base64url")}`,
			);
			expect(sorted.status).toBe(200);
		});

		test("a path or a parameter that is no UTF-8 is refused", async () => {
			const paths = [
				"jobs/X",
				"jobs/X/events",
				"sessions/X",
				"builds/X",
				"shared/X",
				"shared/X/video",
				"uploads/X",
				"X",
			];
			const queries = ["jobs?q=X", "jobs?label=X=1", "jobs?label=a=X", "labels?key=X", "recordings?cursor=X"];
			const others = [
				"runners/1/displays/X/picture",
				"recordings/1/video?signature=X&expires=1",
				"jobs?organizationId=X",
			];
			for (const path of [...paths, ...queries, ...others]) {
				for (const text of NO_TEXT) {
					const sent = `/v1/${path.replace("X", text)}`;
					expectNoFault(sent, await get(sent));
				}
			}
		});

		test("a body that is nested hundreds of thousands of times is refused, wherever it is", async () => {
			const deep = "[".repeat(400_000) + "]".repeat(400_000);
			const routes = api().app.routes.filter(({ definition }) => definition.body !== undefined);
			expect(routes.length).toBeGreaterThan(20);
			for (const { method, path } of routes) {
				const token = path.startsWith("/v1/runner/") ? TEST_RUNNER_TOKEN : TEST_API_KEY;
				for (const raw of [deep, `{"name":${deep}}`, `{"labels":{"team":${deep}}}`, `{"jobs":${deep}}`]) {
					const headers = { "content-type": "application/json" };
					const sent = path.replace(/:\w+/g, "1");
					expectNoFault(`${method} ${sent}`, await api().call(method, sent, { token, headers, raw }));
				}
			}
		});

		test("signing in, switching organizations and single sign-on refuse what is of another type", async () => {
			const path = (name: string) => `/api/auth/${name}`;
			for (const value of VALUES) {
				const calls: [string, unknown, Person?][] = [
					["organization/set-active", { organizationId: value }, owner],
					["organization/set-active", { organizationSlug: value }, owner],
					["sign-in/email", { email: value, password: "a password" }],
					["sign-in/email", { email: "a@example.com", password: value, callbackURL: value, rememberMe: value }],
					["sign-in/social", { provider: value, callbackURL: "/" }],
					["sign-in/social", { provider: "oidc", callbackURL: value, idToken: value }],
					["link-social", { provider: "oidc", callbackURL: value }, owner],
					["sign-out", value],
				];
				for (const [name, body, by] of calls) {
					expectNoFault(`${name} ${JSON.stringify(body)}`, await post(path(name), body, by));
				}
			}
			for (const text of [...NO_TEXT, "abc", "1e3"]) {
				const queries = [`state=${text}`, `state=${text}&code=${text}`, `error=${text}`, `state=${text}&error=${text}`];
				for (const query of queries) expectNoFault(query, await get(path(`callback/oidc?${query}`)));
				const cookie = `tapedeck.session_token=${text}; better-auth.state=${text}; ${text}=${text}`;
				expectNoFault(cookie, await api().call("GET", path("get-session"), { token: null, headers: { cookie } }));
			}
			expect((await post(path("organization/set-active"), { organizationId: "1" }, owner)).status).toBe(200);
		});
	},
	{
		TAPEDECK_TRUSTED_PROXIES: "127.0.0.1",
		TAPEDECK_OIDC_ISSUER: provider.issuer,
		TAPEDECK_OIDC_CLIENT_ID: provider.clientId,
		TAPEDECK_OIDC_CLIENT_SECRET: provider.clientSecret,
	},
);

/** Sends the beginning of a request; the connection breaks once the server has its head, or has begun to answer. */
function breakOff(
	api: TestApi,
	method: string,
	path: string,
	{ body, headers = {} }: { body?: Buffer; headers?: object } = {},
) {
	const { promise, resolve } = Promise.withResolvers<void>();
	const token = path.startsWith("/v1/runner/") ? TEST_RUNNER_TOKEN : TEST_API_KEY;
	const call = request(api.url + path, {
		method,
		headers: {
			...{ authorization: `Bearer ${token}`, ...headers },
			...(body === undefined ? {} : { "content-length": 1_000_000, expect: "100-continue" }),
		},
	});
	call.on("error", () => undefined).on("close", resolve);
	call.on("response", (answer) => answer.once("data", () => call.destroy()).on("error", () => undefined));
	if (body === undefined) call.end();
	else call.on("continue", () => call.write(body, () => call.destroy())).flushHeaders();
	return promise;
}

test("connections that break while a request arrives, or while it is answered, are no errors", async () => {
	const pages = {
		// Reads the body, as a page does that takes one.
		handle: async (req: AsyncIterable<Buffer>, res: { end(): void }) => {
			for await (const _ of req);
			res.end();
		},
		assets: null,
		close: async () => undefined,
	};
	const api = await startTestApi({}, { openPages: async () => pages });
	try {
		await api.signIn("box");
		const raw = await readFile(await makeVideo("recorder.mp4"));
		const typed = { "content-type": "video/mp4" };
		for (let copy = 0; copy < 3; copy++) await api.call("POST", "/v1/recordings?name=x", { headers: typed, raw });
		const tus = { "tus-resumable": "1.0.0" };
		const created = await api.call("POST", "/v1/uploads", { headers: { ...tus, "upload-length": "1000000" } });
		const upload = created.headers.get("location") ?? "";
		const errors = watchLog(api);
		const answers: ServerResponse[] = [];
		const onRequest = (message: unknown) => {
			const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
			// Other servers of these tests run in this process, too.
			if (request.socket.localPort === api.port) answers.push(response);
		};
		subscribe("http.server.request.start", onRequest);
		onTestFinished(() => void unsubscribe("http.server.request.start", onRequest));
		const json = { "content-type": "application/json", origin: api.url };
		const bytes = { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": "0" };
		const begun = Buffer.from('{"email":');
		await Promise.all([
			breakOff(api, "POST", "/v1/jobs", { body: begun, headers: json }),
			breakOff(api, "POST", "/api/auth/sign-in/email", { body: begun, headers: json }),
			breakOff(api, "POST", "/jobs", { body: begun, headers: json }),
			breakOff(api, "POST", "/v1/recordings?name=y", { body: raw.subarray(0, 500), headers: typed }),
			breakOff(api, "PUT", "/v1/runner/displays/:99/picture", {
				body: raw.subarray(0, 500),
				headers: { "content-type": "image/jpeg" },
			}),
			breakOff(api, "PATCH", upload, { body: raw.subarray(0, 500), headers: bytes }),
			breakOff(api, "GET", "/v1/events"),
			breakOff(api, "GET", "/v1/recordings/1/video"),
			breakOff(api, "GET", "/v1/recordings/1/frame?at=0"),
			breakOff(api, "GET", "/v1/recordings/download?id=1&id=2&id=3"),
		]);
		await until(
			() => answers.length === 10 && answers.every(({ closed }) => closed),
			() => `the server has noticed; it has ${answers.filter(({ closed }) => closed).length} of ${answers.length}`,
		);
		// Requests that waited for the rest have been notified before this call.
		expect((await api.call("GET", "/v1/jobs")).status).toBe(200);
		expect(errors()).toEqual([]);
	} finally {
		await api.stop();
	}
});

test("a link to a page that was cut within a character leads to the page for missing ones", async () => {
	const asked: string[] = [];
	const pages = {
		handle: async ({ url = "" }: { url?: string }, res: { end(): void; statusCode: number }) => {
			asked.push(url);
			res.statusCode = decodeURIComponent(url.split("?")[0] ?? "") === "/_not-found" ? 404 : 200;
			res.end();
		},
		assets: null,
		close: async () => undefined,
	};
	const api = await startTestApi({}, { openPages: async () => pages });
	try {
		const errors = watchLog(api);
		// fetch would normalize the path.
		const statusOf = (path: string) =>
			new Promise((resolve, reject) => {
				get({ host: "127.0.0.1", port: api.port, path }, (answer) => resolve(answer.resume().statusCode)).on(
					"error",
					reject,
				);
			});
		for (const text of NO_TEXT.filter((text) => text !== "%00")) {
			expect(await statusOf(`/builds/${text}`), text).toBe(404);
			expect(await statusOf(`/builds/gr%C3%BCn${text}?q=${text}`), text).toBe(404);
		}
		asked.length = 0;
		expect(await statusOf("/builds/gr%C3%BCn?q=%FF")).toBe(200);
		expect(asked).toEqual(["/builds/gr%C3%BCn?q=%FF"]);
		expect(errors()).toEqual([]);
	} finally {
		await api.stop();
	}
});
