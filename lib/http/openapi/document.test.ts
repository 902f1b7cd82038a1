import { createConfig, lintFromString } from "@redocly/openapi-core";
import { STOP_CONDITIONS } from "@tapedeck/contract/stop-condition.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { breakingChanges } from "#test/openapi/breaking-changes.ts";
import released from "../../../docs/openapi.json" with { type: "json" };
import { openApiDocument } from "./document.ts";
import { EXAMPLES, RESPONSE_EXAMPLES } from "./examples.ts";
import { NAMED_SCHEMAS } from "./named-schemas.ts";
import { servedDocument } from "./serve-document.ts";
import { slugOf, TAGS } from "./tags.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape
type Json = any;

let api: TestApi;
let document: Json;
beforeAll(async () => {
	api = await startTestApi();
	document = openApiDocument(api.app.routes, "https://tapedeck.test");
});
afterAll(() => api.stop());

test("the OpenAPI document is public and lists every route for people and scripts, with its responses", async () => {
	const { status, body } = await api.call("GET", "/v1/openapi.json", { token: null });
	expect(status).toBe(200);
	expect(body.openapi).toBe("3.1.0");
	const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
		Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
	);
	const served = api.app.routes
		.filter((route) => route.path.startsWith("/v1/") && !/^\/v1\/runner(\/|$)/.test(route.path))
		.map((route) => `${route.method} ${route.path.replace(/:(\w+)/g, "{$1}")}`);
	expect(documented.sort()).toEqual(served.sort());
	expect(documented).toContain("POST /v1/jobs/{jobId}/cancel");
});

test("the document is made once, and sent only to those who do not have it yet", async () => {
	const path = "/v1/openapi.json";
	const { headers, body } = await api.call("GET", path, { token: null });
	const etag = headers.get("etag") ?? "";
	expect(etag).toMatch(/^"[\w-]{22}"$/);
	expect(servedDocument(api.app.routes, api.app.baseUrl)).toBe(servedDocument(api.app.routes, api.app.baseUrl));
	expect(body).toEqual(JSON.parse(servedDocument(api.app.routes, api.app.baseUrl).text));
	for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
		const again = await api.call("GET", path, { token: null, headers: { "if-none-match": known } });
		expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, null, etag]);
	}
	const other = await api.call("GET", path, { token: null, headers: { "if-none-match": '"other"' } });
	expect([other.status, other.headers.get("etag")]).toEqual([200, etag]);
	expect((await api.call("HEAD", path, { token: null })).headers.get("etag")).toBe(etag);
});

test("the parts of the document by tag have each operation once, less than 20 kB, and lead to all schemas", async () => {
	const part = async (query: string) => {
		const { status, body, headers } = await api.call("GET", `/v1/openapi.json?${query}`, { token: null });
		expect(status, query).toBe(200);
		expect(headers.get("etag")).not.toBe(servedDocument(api.app.routes, api.app.baseUrl).etag);
		const text = JSON.stringify(body);
		for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
			expect(body.components.schemas, name).toHaveProperty(name);
		const outside = [...text.matchAll(/"\?operation=(\w+)#\/components\/schemas\/(\w+)"/g)];
		return { body, operations: operationsOf(body), bytes: Buffer.byteLength(text), outside };
	};
	const operationsOf = ({ paths }: Json): string[] =>
		Object.values(paths).flatMap((methods) =>
			Object.values(methods as object).map(({ operationId }: { operationId: string }) => operationId),
		);
	const found: string[] = [];
	const leadsTo = new Map<string, Set<string>>();
	for (const { name } of TAGS) {
		const { operations, bytes, outside } = await part(`tag=${slugOf(name)}`);
		found.push(...operations);
		expect(bytes, name).toBeLessThan(20_000);
		for (const [, operation = "", schema = ""] of outside)
			leadsTo.set(operation, (leadsTo.get(operation) ?? new Set()).add(schema));
	}
	expect(leadsTo.size).toBeGreaterThan(0);
	for (const [operation, schemas] of leadsTo) {
		const { body, outside } = await part(`operation=${operation}`);
		expect(Object.keys(body.components.schemas), operation).toEqual(expect.arrayContaining([...schemas]));
		expect(outside).toEqual([]);
	}
	expect(found.sort()).toEqual(operationsOf(document).sort());
	const one = await part("operation=createJobMarker");
	expect(one.operations).toEqual(["createJobMarker"]);
	expect(one.bytes).toBeLessThan(10_000);
	const linted = await lintFromString({
		source: JSON.stringify(one.body),
		config: await createConfig({ rules: { struct: "error" } }),
	});
	expect(linted).toEqual([]);
});

test("a part of the document that nothing is in is answered with 404, and an unknown tag with 422", async () => {
	for (const [query, status] of [
		["operation=nothing", 404],
		["tag=jobs&operation=listRunners", 404],
		["tag=gone", 422],
	] as const) {
		expect(await api.call("GET", `/v1/openapi.json?${query}`, { token: null })).toMatchObject({ status });
	}
});

test("a job is documented as the union of its stop conditions, a screenshot and a file upload", async () => {
	const { $ref } = document.paths["/v1/jobs"].post.requestBody.content["application/json"].schema;
	expect($ref).toBe("#/components/schemas/CreateJob");
	for (const [union, prefix] of [
		["CreateJob", "Create"],
		["Job", ""],
	] as const) {
		const { oneOf, anyOf } = document.components.schemas[union];
		const variants = (oneOf ?? anyOf).map((each: Json) => each.$ref.replace("#/components/schemas/", ""));
		const recordings = ["Duration", "Interrupt", "SeleniumIdle", "SeleniumSession"];
		expect(variants).toEqual([...recordings, "Screenshot", "FileUpload"].map((name) => `${prefix}${name}Job`));
		const conditions = variants.map(
			(name: string) => document.components.schemas[name].properties.stopCondition?.const,
		);
		expect(conditions).toEqual([...STOP_CONDITIONS, undefined, undefined]);
	}
});

test("the document passes the linter's strict rules", async () => {
	const config = await createConfig({ extends: ["recommended-strict"] });
	const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config });
	expect(problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual(
		[],
	);
});

test("nothing that the released document promises was taken back", () => {
	// After a release: node test/openapi/write-released.ts
	expect(breakingChanges(released as Json, document)).toEqual([]);
});

test("every JSON body has a name, and every name and example fits its schema", () => {
	const unnamed = operations().flatMap(([operation, { requestBody, responses }]) => {
		const bodies = [requestBody, ...Object.values<Json>(responses)].map(
			(each) => resolved(each)?.content?.["application/json"]?.schema,
		);
		return bodies.some((schema) => schema !== undefined && schema.$ref === undefined) ? [operation] : [];
	});
	expect(unnamed).toEqual(["GET /v1/health", "GET /v1/health/live", "GET /v1/openapi.json"]);
	for (const [name, example] of Object.entries(EXAMPLES)) NAMED_SCHEMAS[name]?.parse(example);
	const ids = operations().map(([, { operationId }]) => operationId);
	expect(Object.keys(RESPONSE_EXAMPLES).filter((id) => !ids.includes(id))).toEqual([]);
});

test("only operations that take API keys offer them", async () => {
	const offer = (method: string, path: string) =>
		document.paths[path][method].security.map((each: Json) => Object.keys(each).join());
	expect(offer("post", "/v1/jobs")).toEqual(["apiKey", "session"]);
	expect(offer("post", "/v1/api-keys")).toEqual(["session"]);
	expect(offer("get", "/v1/health")).toEqual([]);
	// A signed URL needs no credentials.
	expect(offer("get", "/v1/recordings/{recordingId}/video")).toEqual(["apiKey", "session", ""]);
	for (const [operation, { security, parameters = [] }] of operations()) {
		if (!operation.startsWith("GET ") || parameters.some((each: Json) => each.in === "path")) continue;
		if (security.length === 0 || security.some((each: Json) => "apiKey" in each)) continue;
		const { status } = await api.call("GET", operation.slice(4));
		expect(status, operation).toBe(403);
	}
});

test("headers, files and numbers in the query are documented as they are sent", () => {
	const { paths } = document;
	const parameter = (operation: Json, name: string) => operation.parameters.find((each: Json) => each.name === name);
	expect(parameter(paths["/v1/jobs"].post, "Idempotency-Key")).toMatchObject({ in: "header", required: false });
	expect(parameter(paths["/v1/uploads/{uploadId}"].patch, "Upload-Offset")).toMatchObject({
		required: true,
		schema: { type: "integer", minimum: 0 },
	});
	expect(parameter(paths["/v1/jobs"].get, "limit").schema).toEqual({
		...{ type: "integer", minimum: 1, maximum: 100, default: 50 },
	});
	expect(Object.keys(paths["/v1/recordings"].post.requestBody.content)).toEqual([
		"video/mp4",
		"video/webm",
		"application/octet-stream",
	]);
	expect(Object.keys(paths["/v1/events"].get.responses[200].content)).toEqual(["text/event-stream"]);
	expect(Object.keys(paths["/v1/recordings/{recordingId}/poster"].get.responses[200].content)).toEqual(["image/jpeg"]);
});

test("refusals are documented by status, as problem documents", () => {
	const { 429: crowded, default: other } = document.paths["/v1/jobs"].post.responses;
	expect(crowded.description).toContain("too_many_requests");
	expect(crowded.content).toEqual(resolved(other).content);
	const { 413: large, 507: full } = document.paths["/v1/uploads"].post.responses;
	expect(large.description).toContain("payload_too_large");
	expect(full.description).toMatch(/insufficient_storage.*quota_exceeded/);
});

const operations = (): [string, Json][] =>
	Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
		Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
			`${method.toUpperCase()} ${path}`,
			operation,
		]),
	);

/** The component that a reference points to. */
function resolved(value: Json): Json {
	if (value?.$ref === undefined) return value;
	const [, , group, name] = value.$ref.split("/");
	return document.components[group][name];
}
