/** Rules that hold for every route, so that no new route can forget them. */
import { glob } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { DeclaredRoute } from "#lib/http/route-definition.ts";
import { loadRoutes, routePathOf } from "#lib/http/route-table.ts";
import { APP_DIR } from "#lib/server/start-server.ts";
import { MATRIX, type Row } from "#test/access-matrix.ts";
import { signIn } from "#test/api-people.ts";
import {
	type CallOptions,
	startTestApi,
	TEST_EMAIL,
	TEST_PASSWORD,
	TEST_RUNNER_TOKEN,
	type TestApi,
} from "#test/api-server.ts";

const declared = (await loadRoutes(APP_DIR)).filter(({ web }) => web !== undefined);
const withBody = declared.filter((route) => route.definition.body !== undefined);
const isPublic = (route: DeclaredRoute) => route.definition.permission === "public";
const isRunners = (route: DeclaredRoute) => route.definition.permission === "runner:act";
const closed = declared.filter((route) => !isPublic(route));
const nameOf = ({ method, path }: DeclaredRoute) => `${method} ${path}`;

let api: TestApi;
let cookie: string;
beforeAll(async () => {
	api = await startTestApi();
	cookie = (await signIn(api)).cookie();
});
afterAll(() => api.stop());

/** Calls a route with sufficient permissions, with every id in its path set to 1. */
function callAs(route: DeclaredRoute, options: CallOptions) {
	const asRunner = isRunners(route);
	const path = route.path.replace(/:\w+/g, "1");
	return api.call(route.method, path, {
		...options,
		token: asRunner ? TEST_RUNNER_TOKEN : null,
		headers: { ...(asRunner ? {} : { cookie }), ...options.headers },
	});
}

const rows = Object.entries(MATRIX).map(([name, row]) => {
	const [method = "", path = ""] = name.split(" ");
	return { name, method, path, row };
});

test("every file that declares routes has rows in the access matrix, and every path of the matrix has a file", async () => {
	// Every file that Next or the route table could take for an endpoint, wherever it is.
	const found = new Set<string>();
	// Folders that begin with a dot have to be named.
	const files = glob("{,.well-known/}**/{route,stream}.{ts,tsx,js,jsx,mjs}", { cwd: APP_DIR });
	for await (const file of files) found.add(routePathOf(file));
	expect([...found].sort()).toEqual([...new Set(rows.map(({ path }) => path))].sort());
});

test("the server serves exactly the methods of the access matrix on each path", async () => {
	const expected: Record<string, string[]> = {};
	for (const { path, method } of rows) {
		// HEAD is served wherever GET is.
		const methods = new Set([...(expected[path] ?? []), method, ...(method === "GET" ? ["HEAD"] : [])]);
		expected[path] = [...methods].sort();
	}
	const found: Record<string, string[] | undefined> = {};
	for (const path of Object.keys(expected)) {
		// A method that no route has: the answer lists those of the path.
		const answer = await api.call("PROPFIND", path.replace(/:\w+/g, "1"));
		expect([path, answer.status]).toEqual([path, 405]);
		found[path] = answer.headers.get("allow")?.split(", ").sort();
	}
	expect(found).toEqual(expected);
});

test("the OpenAPI document has exactly the routes of the access matrix that admit users, API keys or everybody", async () => {
	const { body } = await api.call("GET", "/v1/openapi.json", { token: null });
	const documented = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
	);
	const isForClients = ({ role, scope, open }: Row) => role !== null || scope !== null || open === true;
	const expected = rows.filter(({ path, row }) => path.startsWith("/v1/") && isForClients(row));
	expect(documented.sort()).toEqual(expected.map(({ name }) => name).sort());
});

test("the routes that take a JSON body are those whose rows in the access matrix have one", () => {
	const expected = rows.filter(({ row }) => row.body !== undefined);
	expect(withBody.map(nameOf).sort()).toEqual(expected.map(({ name }) => name).sort());
});

describe.each(closed.map((route) => [nameOf(route), route] as const))("%s", (_name, route) => {
	test("requires credentials, and refuses made-up ones", async () => {
		const path = route.path.replace(/:\w+/g, "1");
		for (const token of [null, "tdk_made_up_0123456789abcdef"]) {
			const answer = await api.call(route.method, path, { token });
			expect([answer.status, answer.body?.code]).toEqual([401, "unauthorized"]);
			expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
		}
	});
});

const CROSS_SITE = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
const changing = declared.filter((route) => route.method !== "GET" && !isRunners(route));
describe.each(changing.map((route) => [nameOf(route), route] as const))("%s", (_name, route) => {
	test("refuses a page of another site that uses a visitor's cookie", async () => {
		const answer = await callAs(route, { headers: CROSS_SITE });
		expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
	});

	test("changes nothing for a page of another site whose visitor is not signed in", async () => {
		const path = route.path.replace(/:\w+/g, "1");
		const answer = await api.call(route.method, path, { token: null, headers: CROSS_SITE });
		expect([answer.status, answer.body.code]).toEqual(isPublic(route) ? [403, "forbidden"] : [401, "unauthorized"]);
	});
});

test.each([
	"/api/auth/sign-in/email",
	"/api/auth/sign-out",
	"/api/auth/organization/set-active",
])("%s refuses a page of another site, signed in or not", async (path) => {
	for (const headers of [CROSS_SITE, { ...CROSS_SITE, cookie }]) {
		const body = { email: TEST_EMAIL, password: TEST_PASSWORD };
		const answer = await api.call("POST", path, { token: null, headers, body });
		expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
	}
	expect((await api.call("GET", "/v1/me", { token: null, headers: { cookie } })).status).toBe(200);
});

/** Bodies that need no field. */
const MAY_BE_EMPTY: readonly string[] = [
	"POST /v1/builds/:build/finish",
	"POST /v1/jobs/:jobId/gate",
	"POST /v1/test-runs/:testRunId/gate",
	"POST /v1/test-runs",
];

/** A body that is a list of objects, instead of an object. */
const isList = ({ definition }: (typeof declared)[number]): boolean => definition.body instanceof z.ZodArray;

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

	test("is an object without unknown fields (except from runners, which may be newer), and every fault has a message", async () => {
		const empty = MAY_BE_EMPTY.includes(nameOf(route)) ? [] : [{}];
		for (const body of [null, [], "text", 7, ...empty, { surplus: 1 }]) {
			const answer = await callAs(route, { raw: JSON.stringify(body), headers: json });
			expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
			const paths = answer.body.errors.map((fault: { path: string }) => fault.path);
			if (!isList(route) && body !== null && typeof body === "object" && "surplus" in body)
				expect(paths.includes("surplus")).toBe(!isRunners(route));
			for (const { message } of answer.body.errors) expect(message).toMatch(/^[A-Z].*\.$/);
		}
	});

	test("may contain nothing but faults: however many there are, the response has the first hundred", async () => {
		const fields = isPublic(route) ? 1_200 : 80_000;
		const surplus = Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, 0]));
		const unknown = isList(route) ? [surplus] : surplus;
		const answer = await callAs(route, { raw: JSON.stringify(unknown), headers: json });
		const { code, detail, errors } = answer.body;
		expect([answer.status, code]).toEqual([422, "validation_failed"]);
		// A runner of a later version may send fields that are not known here.
		const takesUnknown = !errors.some((fault: { code: string }) => fault.code === "unknown_field");
		expect(takesUnknown).toBe(route.path.startsWith("/v1/runner/"));
		if (takesUnknown) return;
		expect(errors).toHaveLength(100);
		expect(detail).toMatch(/And \d+ more errors\.$/);
	});

	test("has a limit on every list, and many invalid items do not cause an equally long response", async () => {
		const lists = listsIn(z.toJSONSchema(route.definition.body as z.ZodType, { io: "input", unrepresentable: "any" }));
		for (const [path, schema] of lists) expect(schema, path).toHaveProperty("maxItems");
		const items = Array(isPublic(route) ? 5_000 : 500_000).fill(0);
		for (const name of lists.map(([path]) => path).filter((path) => /^\w+$/.test(path))) {
			const answer = await callAs(route, { raw: JSON.stringify({ [name]: items }), headers: json });
			expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
			expect(answer.body.errors.length).toBeLessThanOrEqual(100);
		}
	});
});

/** The lists in a JSON schema, by path. */
function listsIn(schema: unknown, path: string[] = []): [string, object][] {
	if (typeof schema !== "object" || schema === null) return [];
	const own: [string, object][] = "type" in schema && schema.type === "array" ? [[path.join("."), schema]] : [];
	const below = Object.entries(schema).flatMap(([key, value]) => {
		const isStep = !["properties", "items", "anyOf", "oneOf", "allOf"].includes(key) && !/^\d+$/.test(key);
		return listsIn(value, isStep ? [...path, key] : path);
	});
	return [...own, ...below];
}
