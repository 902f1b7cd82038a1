import { afterAll, beforeAll, expect, test } from "vitest";
import { insertOrganization } from "#lib/auth/better-auth/account-rows.ts";
import { accountTables } from "#lib/auth/better-auth/account-tables.ts";
import { type Answer, startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";

let api: TestApi;
let runnerId: number;
beforeAll(async () => {
	api = await startTestApi();
	runnerId = (await api.signIn()).runnerId;
});
afterAll(() => api.stop());

const jobBody = (over: Record<string, unknown> = {}) => ({
	runnerId,
	displayId: ":99",
	name: "login test",
	stopCondition: "duration",
	stopConditionConfig: { durationSeconds: 5 },
	...over,
});
const without = (field: string) => Object.fromEntries(Object.entries(jobBody()).filter(([name]) => name !== field));
const idle = (config: unknown) => jobBody({ stopCondition: "selenium_idle", stopConditionConfig: config });
const grid = "http://127.0.0.1:4444";
const jobCount = async () => (await api.app.db.selectFrom("job").select("id").execute()).length;

function expectProblem(answer: Answer, status: number, code: string): void {
	expect(answer.status).toBe(status);
	expect(answer.headers.get("content-type")).toBe("application/problem+json");
	expect(answer.body).toMatchObject({ status, code });
	for (const field of ["type", "title", "detail", "requestId"]) expect(answer.body[field]).toEqual(expect.any(String));
}

const invalidJobs: [what: string, body: () => unknown, paths: string[]][] = [
	["a list", () => [], [""]],
	["null", () => null, [""]],
	["a string", () => "job", [""]],
	["an empty object", () => ({}), ["runnerId", "displayId", "stopCondition"]],
	["no runnerId", () => without("runnerId"), ["runnerId"]],
	["no displayId", () => without("displayId"), ["displayId"]],
	["no stopCondition", () => without("stopCondition"), ["stopCondition"]],
	["no stopConditionConfig", () => without("stopConditionConfig"), ["stopConditionConfig.durationSeconds"]],
	["a line break in its name", () => jobBody({ name: "two\nlines" }), ["name"]],
	["a NUL in its name", () => jobBody({ name: "a\u0000b" }), ["name"]],
	["a lone surrogate in its name", () => jobBody({ name: "a\ud800" }), ["name"]],
	["a runnerId in quotes", () => jobBody({ runnerId: "1" }), ["runnerId"]],
	["a runnerId of 1.5", () => jobBody({ runnerId: 1.5 }), ["runnerId"]],
	["a runnerId of 0", () => jobBody({ runnerId: 0 }), ["runnerId"]],
	["a runnerId of -1", () => jobBody({ runnerId: -1 }), ["runnerId"]],
	["a runnerId of null", () => jobBody({ runnerId: null }), ["runnerId"]],
	["an unknown runner", () => jobBody({ runnerId: 1e9 }), ["runnerId"]],
	["another type", () => jobBody({ type: "audio" }), ["type"]],
	["a name of spaces", () => jobBody({ name: "   " }), ["name"]],
	["a name of 201 characters", () => jobBody({ name: "n".repeat(201) }), ["name"]],
	["a name that is a number", () => jobBody({ name: 7 }), ["name"]],
	...["99", ":", ":x", "host:99", ":123456", ":99.0", "", " :99"].map(
		(displayId): [string, () => unknown, string[]] => [
			`the display "${displayId}"`,
			() => jobBody({ displayId }),
			["displayId"],
		],
	),
	["a display that is a number", () => jobBody({ displayId: 99 }), ["displayId"]],
	["an unknown stop condition", () => jobBody({ stopCondition: "idle" }), ["stopCondition"]],
	["two stop conditions", () => jobBody({ stopCondition: ["duration", "interrupt"] }), ["stopCondition"]],
	["an unknown field", () => jobBody({ durationSeconds: 5 }), ["durationSeconds"]],
	[
		"an unknown field in the configuration",
		() => jobBody({ stopConditionConfig: { durationSeconds: 5, fps: 30 } }),
		["stopConditionConfig.fps"],
	],
	["no durationSeconds", () => jobBody({ stopConditionConfig: {} }), ["stopConditionConfig.durationSeconds"]],
	...["5", 1.5, 0, -1, 1e9, null, true, 604_801].map((durationSeconds): [string, () => unknown, string[]] => [
		`durationSeconds ${JSON.stringify(durationSeconds)}`,
		() => jobBody({ stopConditionConfig: { durationSeconds } }),
		["stopConditionConfig.durationSeconds"],
	]),
	[
		"the configuration of another condition",
		() => jobBody({ stopConditionConfig: { gridUrl: grid } }),
		["stopConditionConfig.durationSeconds", "stopConditionConfig.gridUrl"],
	],
	[
		"a configuration for interrupt",
		() => jobBody({ stopCondition: "interrupt" }),
		["stopConditionConfig.durationSeconds"],
	],
	["no gridUrl", () => idle({}), ["stopConditionConfig.gridUrl"]],
	[
		"no gridUrl and a password without a user name",
		() => idle({ gridPassword: "x" }),
		["stopConditionConfig.gridUrl", "stopConditionConfig.gridUsername"],
	],
	...[
		"selenium:4444/",
		"/wd/hub",
		"ftp://127.0.0.1/",
		"http://me:secret@127.0.0.1:4444",
		"http://me@127.0.0.1",
		"",
		"http://",
		"http:x",
		"http:///x",
		`${grid}?a=1`,
	].map((gridUrl): [string, () => unknown, string[]] => [
		`the gridUrl "${gridUrl}"`,
		() => idle({ gridUrl }),
		["stopConditionConfig.gridUrl"],
	]),
	["a gridUrl that is a number", () => idle({ gridUrl: 4444 }), ["stopConditionConfig.gridUrl"]],
	[
		"a password without a user name",
		() => idle({ gridUrl: grid, gridPassword: "x" }),
		["stopConditionConfig.gridUsername"],
	],
	[
		"a wait of -1 seconds",
		() => idle({ gridUrl: grid, firstSessionTimeoutSeconds: -1 }),
		["stopConditionConfig.firstSessionTimeoutSeconds"],
	],
	[
		"a wait of 86,401 seconds",
		() => idle({ gridUrl: grid, firstSessionTimeoutSeconds: 86_401 }),
		["stopConditionConfig.firstSessionTimeoutSeconds"],
	],
	[
		"five faults at once",
		() => ({
			runnerId: "x",
			displayId: "99",
			name: "",
			stopCondition: "duration",
			stopConditionConfig: { durationSeconds: 0 },
			extra: 1,
		}),
		["runnerId", "displayId", "name", "stopConditionConfig.durationSeconds", "extra"],
	],
	[
		"an unknown condition and other faults",
		() => ({ runnerId: "x", displayId: "99", stopCondition: "never", extra: 1 }),
		["runnerId", "displayId", "stopCondition", "extra"],
	],
];

for (const [what, body, paths] of invalidJobs) {
	test(`a job with ${what} is refused with 422 at ${paths.map((path) => path || "the body").join(", ")}, and nothing is created`, async () => {
		const before = await jobCount();
		const answer = await api.call("POST", "/v1/jobs", { body: body() });
		expectProblem(answer, 422, "validation_failed");
		expect(answer.body.errors.map((fault: { path: string }) => fault.path).sort()).toEqual([...paths].sort());
		for (const fault of answer.body.errors) {
			expect(fault.code).toMatch(/^[a-z_]+$/);
			expect(fault.message).not.toMatch(/^Invalid|undefined|NaN/);
		}
		expect(await jobCount()).toBe(before);
	});
}

test("ten thousand faults are answered with the first hundred and the total", async () => {
	const extra = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`extra${index}`, index]));
	const answer = await api.call("POST", "/v1/jobs", { body: jobBody(extra) });
	expectProblem(answer, 422, "validation_failed");
	expect(answer.body.errors).toHaveLength(100);
	expect(answer.body.detail).toContain("And 9900 more errors");
});

const unreadable: [
	what: string,
	headers: Record<string, string>,
	raw: string | Uint8Array,
	status: number,
	code: string,
][] = [
	["broken JSON", { "content-type": "application/json" }, '{"runnerId": 1', 400, "invalid_json"],
	["an empty body", { "content-type": "application/json" }, "", 400, "invalid_json"],
	[
		"bytes that are no UTF-8",
		{ "content-type": "application/json" },
		new Uint8Array([0x7b, 0xff, 0x7d]),
		400,
		"invalid_json",
	],
	["a form", { "content-type": "application/x-www-form-urlencoded" }, "runnerId=1", 415, "unsupported_media_type"],
	["plain text", { "content-type": "text/plain" }, "{}", 415, "unsupported_media_type"],
	[
		"more than 1 MiB",
		{ "content-type": "application/json" },
		`{"name":"${"x".repeat(1024 * 1024)}"}`,
		413,
		"payload_too_large",
	],
	[
		"more than 1 MiB that is no JSON",
		{ "content-type": "text/plain" },
		"x".repeat(1024 * 1024 + 1),
		413,
		"payload_too_large",
	],
];
for (const [what, headers, raw, status, code] of unreadable) {
	test(`a body of ${what} is answered ${status}, and the next call works`, async () => {
		expectProblem(await api.call("POST", "/v1/jobs", { headers, raw }), status, code);
		expect((await api.call("GET", "/v1/jobs?limit=1")).status).toBe(200);
	});
}

test("credentials are checked before the body", async () => {
	const answer = await api.call("POST", "/v1/jobs", {
		token: null,
		headers: { "content-type": "text/plain" },
		raw: "{",
	});
	expectProblem(answer, 401, "unauthorized");
	expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
});

test("an unknown key is refused with 401, a runner token on a call for people and scripts with 403", async () => {
	expectProblem(await api.call("GET", "/v1/jobs", { token: "tdk_nobody_knows_this_one" }), 401, "unauthorized");
	expectProblem(await api.call("POST", "/v1/jobs", { token: TEST_RUNNER_TOKEN, body: jobBody() }), 403, "forbidden");
});

test("a wrong method is answered 405 with the allowed methods", async () => {
	for (const [method, path, allow] of [
		["DELETE", "/v1/jobs", "GET, HEAD, POST"],
		["GET", "/v1/jobs/1/cancel", "POST"],
		["PUT", "/v1/jobs/1", "GET, HEAD, PATCH"],
	] as const) {
		const answer = await api.call(method, path);
		expectProblem(answer, 405, "method_not_allowed");
		expect(answer.headers.get("allow")).toBe(allow);
	}
});

for (const id of ["x", "0", "-1", "1.5", "1e3", "99999999999999999999", "%00", "12x", " 1"]) {
	test(`a job id of "${id}" is 404 on every route`, async () => {
		for (const [method, path] of [
			["GET", ""],
			["POST", "/cancel"],
			["GET", "/events"],
			["GET", "/markers"],
		] as const) {
			expectProblem(await api.call(method, `/v1/jobs/${id}${path}`), 404, "not_found");
		}
	});
}

test("unknown jobs and unknown paths are 404", async () => {
	for (const path of ["/v1/jobs/123456", "/v1/jobs/1/nothing", "/v1/nothing", "/v1", "/v1/runners/77"]) {
		expectProblem(await api.call("GET", path), 404, "not_found");
	}
	expectProblem(await api.call("POST", "/v1/jobs/123456/cancel"), 404, "not_found");
});

for (const [query, path] of [
	["status=done", "status"],
	["status=queued&status=done", "status"],
	["runnerId=x", "runnerId"],
	["stopCondition=never", "stopCondition"],
	["createdAfter=yesterday", "createdAfter"],
	["createdBefore=2026-13-01T00:00:00Z", "createdBefore"],
	["limit=0", "limit"],
	["limit=101", "limit"],
	["limit=1.5", "limit"],
	["cursor=x", "cursor"],
	["organizationId=x", "organizationId"],
	["organizationId=1&organizationId=2", "organizationId"],
	["limit=1&limit=2", "limit"],
	["q=a&q=b", "q"],
	["q=%00", "q"],
	["status=", "status"],
] as const) {
	test(`the query ?${query} is refused with 422 at ${path}`, async () => {
		const answer = await api.call("GET", `/v1/jobs?${query}`);
		expectProblem(answer, 422, "validation_failed");
		expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
	});
}

test("an unknown query parameter is ignored", async () => {
	expect((await api.call("GET", "/v1/jobs?colour=blue")).status).toBe(200);
});

test("the id of another organization is 403", async () => {
	expectProblem(await api.call("GET", "/v1/jobs?organizationId=999"), 403, "forbidden");
	expectProblem(await api.call("POST", "/v1/jobs/1/cancel?organizationId=999"), 403, "forbidden");
});

test("a runner of another organization is 422 at runnerId, and its jobs are 404", async () => {
	const { db } = api.app;
	const other = await insertOrganization(accountTables(db), "Other", Date.now());
	const runner = await db
		.insertInto("runner")
		.values({
			organizationId: other,
			name: "theirs",
			signInName: "theirs",
			version: "1",
			displays: "[]",
			createdAt: 1,
		})
		.returning("id")
		.executeTakeFirstOrThrow();
	const job = await db
		.insertInto("job")
		.values({
			organizationId: other,
			runnerId: runner.id,
			type: "recording",
			displayId: ":1",
			name: "theirs",
			stopCondition: "interrupt",
			stopConditionConfig: "{}",
			status: "recording",
			createdAt: 1,
			key: "a key of theirs",
		})
		.returning("id")
		.executeTakeFirstOrThrow();
	const answer = await api.call("POST", "/v1/jobs", { body: jobBody({ runnerId: runner.id }) });
	expectProblem(answer, 422, "validation_failed");
	expect(answer.body.errors[0].path).toBe("runnerId");
	expectProblem(await api.call("GET", `/v1/jobs/${job.id}`), 404, "not_found");
	expectProblem(await api.call("POST", `/v1/jobs/${job.id}/cancel`), 404, "not_found");
	expectProblem(await api.call("GET", `/v1/runners/${runner.id}`), 404, "not_found");
	expect((await api.call("GET", "/v1/jobs")).body.data.some((each: { id: number }) => each.id === job.id)).toBe(false);
});
