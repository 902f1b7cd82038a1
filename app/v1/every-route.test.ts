/** What holds for every route of the table, so that a new one cannot forget it. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { DeclaredRoute } from "#lib/server/route-definition.ts";
import { loadRoutes } from "#lib/server/route-table.ts";
import { APP_DIR } from "#lib/server/start-server.ts";
import {
	type CallOptions,
	startTestApi,
	TEST_EMAIL,
	TEST_PASSWORD,
	TEST_RUNNER_TOKEN,
	type TestApi,
} from "#test/api-server.ts";

const declared = await loadRoutes(APP_DIR, []);
const withBody = declared.filter((route) => route.definition.body !== undefined);
const closed = declared.filter((route) => route.definition.open !== true);
const nameOf = ({ method, path }: DeclaredRoute) => `${method} ${path}`;

let api: TestApi;
let cookie: string;
beforeAll(async () => {
	api = await startTestApi();
	const signedIn = await api.call("POST", "/api/auth/sign-in/email", {
		token: null,
		headers: { origin: api.url },
		body: { email: TEST_EMAIL, password: TEST_PASSWORD },
	});
	expect(signedIn.status).toBe(200);
	cookie = signedIn.headers
		.getSetCookie()
		.map((each) => each.split(";")[0])
		.join("; ");
});
afterAll(() => api.stop());

/** Calls a route as someone who may, with every id in its path set to 1. */
function callAs(route: DeclaredRoute, options: CallOptions) {
	const isRunners = route.definition.actors?.includes("runner") === true;
	const path = route.path.replace(/:\w+/g, "1");
	return api.call(route.method, path, {
		...options,
		token: isRunners ? TEST_RUNNER_TOKEN : null,
		headers: { ...(isRunners ? {} : { cookie }), ...options.headers },
	});
}

test("the table holds the routes of the contract", () => {
	expect(declared.map(nameOf)).toEqual(
		expect.arrayContaining(["POST /v1/jobs", "POST /v1/jobs/:jobId/cancel", "GET /v1/health"]),
	);
	expect(withBody.length).toBeGreaterThan(8);
});

describe.each(closed.map((route) => [nameOf(route), route] as const))("%s", (_name, route) => {
	test("wants credentials, and takes no made-up ones", async () => {
		const path = route.path.replace(/:\w+/g, "1");
		for (const token of [null, "tdk_made_up_0123456789abcdef"]) {
			const answer = await api.call(route.method, path, { token });
			expect([answer.status, answer.body?.code]).toEqual([401, "unauthorized"]);
			expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
		}
	});
});

const changing = closed.filter(
	({ method, definition }) => method !== "GET" && definition.actors?.includes("runner") !== true,
);
test.each(
	changing.map((route) => [nameOf(route), route] as const),
)("%s refuses a page of another site that uses a visitor's cookie", async (_name, route) => {
	const answer = await callAs(route, { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } });
	expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
});

describe.each(withBody.map((route) => [nameOf(route), route] as const))("the body of %s", (_name, route) => {
	const json = { "content-type": "application/json" };

	test("is JSON, of at most 1 MiB", async () => {
		const big = `{"name":"${"x".repeat(1024 * 1024)}"}`;
		for (const [raw, headers, status, code] of [
			["{", json, 400, "invalid_json"],
			["", json, 400, "invalid_json"],
			["{}", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
			[big, json, 413, "payload_too_large"],
		] as const) {
			const answer = await callAs(route, { raw, headers });
			expect([answer.status, answer.body.code]).toEqual([status, code]);
			expect(answer.headers.get("content-type")).toBe("application/problem+json");
		}
	});

	test("is an object without unknown fields, a later runner's left aside, and every fault is told in words", async () => {
		const isRunners = route.definition.actors?.join() === "runner";
		for (const body of [null, [], "text", 7, {}, { surplus: 1 }]) {
			const answer = await callAs(route, { raw: JSON.stringify(body), headers: json });
			expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
			const paths = answer.body.errors.map((fault: { path: string }) => fault.path);
			if (body !== null && typeof body === "object" && "surplus" in body)
				expect(paths.includes("surplus")).toBe(!isRunners);
			for (const { message } of answer.body.errors) expect(message).toMatch(/^[A-Z].*\.$/);
		}
	});

	test("may be nothing but faults: as many as fit into it are answered with the first hundred", async () => {
		const isOpen = route.definition.open === true;
		const fields = isOpen ? 1_200 : 80_000;
		const unknown = Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, 0]));
		const answer = await callAs(route, { raw: JSON.stringify(unknown), headers: json });
		const { code, detail, errors } = answer.body;
		expect([answer.status, code]).toEqual([422, "validation_failed"]);
		// A runner of a later version may send more than is known here.
		const takesUnknown = !errors.some((fault: { code: string }) => fault.code === "unknown_field");
		expect(takesUnknown).toBe(route.path.startsWith("/v1/runner/"));
		if (takesUnknown) return;
		expect(errors).toHaveLength(100);
		expect(detail).toMatch(/And \d+ more faults\.$/);
	});

	test("has no list without a limit, and many wrong items in one are one fault", async () => {
		const lists = listsIn(z.toJSONSchema(route.definition.body as z.ZodType, { io: "input", unrepresentable: "any" }));
		for (const [path, schema] of lists) expect(schema, path).toHaveProperty("maxItems");
		const items = Array(route.definition.open === true ? 5_000 : 500_000).fill(0);
		for (const name of lists.map(([path]) => path).filter((path) => /^\w+$/.test(path))) {
			const answer = await callAs(route, { raw: JSON.stringify({ [name]: items }), headers: json });
			expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
			expect(answer.body.errors.length).toBeLessThanOrEqual(100);
		}
	});
});

/** The lists in a JSON schema, by where they are. */
function listsIn(schema: unknown, path: string[] = []): [string, object][] {
	if (typeof schema !== "object" || schema === null) return [];
	const own: [string, object][] = "type" in schema && schema.type === "array" ? [[path.join("."), schema]] : [];
	const below = Object.entries(schema).flatMap(([key, value]) => {
		const isStep = !["properties", "items", "anyOf", "oneOf", "allOf"].includes(key) && !/^\d+$/.test(key);
		return listsIn(value, isStep ? [...path, key] : path);
	});
	return [...own, ...below];
}
