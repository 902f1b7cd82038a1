/**
 * Fuzzing: arbitrary input is answered as the API documents, reveals no internals, and does not break the next call.
 */
import { request } from "node:http";
import { problemSchema } from "@tapedeck/contract/problem.ts";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

interface Sent {
	method: string;
	path: string;
	headers?: Record<string, string>;
	body?: string | Uint8Array;
}

/** Uses node:http, because fetch would normalize the input. */
function send(
	api: TestApi,
	{ method, path, headers = {}, body }: Sent,
): Promise<{ status: number; type: string; text: string }> {
	return new Promise((resolve, reject) => {
		const token = path.startsWith("/v1/runner/") ? TEST_RUNNER_TOKEN : TEST_API_KEY;
		const call = request(`${api.url}${path}`, { method, headers: { authorization: `Bearer ${token}`, ...headers } });
		call.on("response", (answer) => {
			const chunks: Buffer[] = [];
			answer.on("data", (chunk: Buffer) => chunks.push(chunk));
			const head = { status: answer.statusCode ?? 0, type: answer.headers["content-type"] ?? "" };
			answer.on("end", () => resolve({ ...head, text: Buffer.concat(chunks).toString() }));
			answer.on("error", reject);
		});
		call.on("error", reject);
		call.end(body);
	});
}

async function expectGrace(api: TestApi, sent: Sent): Promise<void> {
	const { status, type, text } = await send(api, sent);
	const what = `${sent.method} ${sent.path} → ${status} ${text.slice(0, 300)}`;
	// tus answers 501 for extensions that the server does not offer.
	expect(status < 500 || status === 501 || status === 507, what).toBe(true);
	// A script may name folders.
	if (!type.startsWith("text/x-shellscript"))
		expect(text, what).not.toMatch(/node_modules|\bat .+\.ts:\d+|SQLITE|syntax error/);
	if (text !== "" && status >= 400 && type.includes("json"))
		expect(problemSchema.parse(JSON.parse(text)).status, what).toBe(status);
}

/** A path of the route table with its parameters filled in. */
const filled = (path: string, values: string[]): string => {
	let next = 0;
	return path.replace(/:\w+/g, () => encodeURIComponent(values[next++ % values.length] ?? "1"));
};
const segment = fc.oneof(
	fc.constantFrom("1", "0", "-1", "01", "9007199254740993", "1e3", ":99", "%00", "\u0000", "null", "1'--"),
	fc
		.string({ minLength: 1, maxLength: 40, unit: "binary" })
		.filter((text) => text.isWellFormed() && !/^\.{1,2}$/.test(text)),
);

/** Keys and values of the real API, mostly combined wrongly. */
const key = fc.constantFrom(
	...["runnerId", "type", "displayId", "name", "stopCondition", "stopConditionConfig", "durationSeconds", "gridUrl"],
	...["gridUsername", "gridPassword", "firstSessionTimeoutSeconds", "label", "kind", "at", "scopes", "expiresAt"],
	...["maxAgeDays", "maxBytes", "pinned", "email", "password", "role", "sessionId", "displays", "reports", "__proto__"],
);
const value: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom("duration", "interrupt", "selenium_idle", "recording", ":99", "http://g:1/wd/hub", "http://u:p@g/"),
	fc.constantFrom(1, 0, -1, 1.5, 604_800, 604_801, 1e21, null, true, {}, [], "", " ", "\u0000", "a".repeat(300)),
	fc.dictionary(key, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }),
	fc.jsonValue({ maxDepth: 3 }),
);
const json = fc.oneof(fc.dictionary(key, value, { maxKeys: 7 }), fc.jsonValue());

onOneDatabase((api) => {
	beforeAll(async () => {
		await api().signIn("box");
	});

	test("any JSON in any body gets a documented answer from every route that takes one", async () => {
		const routes = api().app.routes.filter(({ definition }) => definition.body !== undefined);
		expect(routes.length).toBeGreaterThan(5);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...routes),
				fc.array(segment, { minLength: 2, maxLength: 2 }),
				json,
				(route, ids, body) =>
					expectGrace(api(), {
						method: route.method,
						path: filled(route.path, ids),
						headers: { "content-type": "application/json" },
						body: JSON.stringify(body),
					}),
			),
			{ numRuns: 1_500 },
		);
	}, 120_000);

	test("any query and any path gets a documented answer from every route that reads", async () => {
		// The first never ends; the second waits for a runner that does not exist.
		const slow = new Set(["/v1/events", "/v1/runners/:runnerId/displays/:displayId/picture"]);
		const routes = api().app.routes.filter(({ method, path }) => method === "GET" && !slow.has(path));
		const parameter = fc.tuple(
			fc.constantFrom(
				...["limit", "cursor", "q", "status", "runnerId", "sort", "order", "at", "from", "waitFor"],
				"createdAfter",
			),
			fc.oneof(
				fc.constantFrom("1", "0", "-1", "NaN", "1e999", "2026-13-01", "ready", "ended"),
				fc.string({ maxLength: 60 }),
			),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...routes),
				fc.array(segment, { minLength: 2, maxLength: 2 }),
				fc.array(parameter, { maxLength: 4 }),
				(route, ids, query) => {
					// Sets the timeout to 0, so that long polls return at once.
					const search = new URLSearchParams([...query, ["timeoutSeconds", "0"]]);
					return expectGrace(api(), { method: "GET", path: `${filled(route.path, ids)}?${search}` });
				},
			),
			{ numRuns: 1_500 },
		);
	}, 120_000);

	test("any upload headers get a documented answer, and refused uploads leave nothing behind", async () => {
		const base64 = fc.oneof(fc.base64String({ maxLength: 40 }), fc.constantFrom("", "!!!", "dmlkZW8vbXA0", "MQ=="));
		const name = fc.constantFrom("name", "filetype", "jobId", "", "x", "name name", "é");
		const metadata = fc
			.array(fc.tuple(name, base64), { maxLength: 5 })
			.map((pairs) => pairs.map((pair) => pair.join(" ")).join(","))
			.map((text) => Buffer.from(text, "utf8").toString("latin1"));
		const number = fc.constantFrom("0", "1", "-1", "1.5", "abc", "99999999999999999999", "10485760", "");
		const headers = fc.record(
			{
				"tus-resumable": fc.constantFrom("1.0.0", "0.2.2", ""),
				"upload-length": number,
				"upload-defer-length": fc.constantFrom("1", "0", "x"),
				"upload-offset": number,
				"upload-metadata": metadata,
				"upload-concat": fc.constantFrom("partial", "final;/v1/uploads/a"),
				"content-type": fc.constantFrom("application/offset+octet-stream", "text/plain"),
			},
			{ requiredKeys: ["tus-resumable"] },
		);
		const call = fc.record({
			method: fc.constantFrom("POST", "PATCH", "HEAD", "DELETE", "OPTIONS"),
			path: fc.constantFrom("/v1/uploads", "/v1/uploads/none", "/v1/uploads/job-1", "/v1/uploads/..%2f..%2fsecret"),
			headers,
			body: fc.uint8Array({ maxLength: 200 }),
		});
		await fc.assert(
			fc.asyncProperty(call, async ({ method, path, headers, body }) => {
				const carries = method === "POST" || method === "PATCH";
				await expectGrace(api(), { method, path, headers, body: carries ? body : undefined });
			}),
			{ numRuns: 800 },
		);
		const { data } = (await api().call("GET", "/v1/recordings")).body;
		// Valid uploads that received their first bytes with their creation are still in progress.
		expect(data.filter(({ state }: { state: string }) => state !== "live")).toEqual([]);
	}, 120_000);
});
