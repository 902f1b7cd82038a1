import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
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

test("the body of a new job is documented as the union of its stop conditions", async () => {
	const { body } = await api.call("GET", "/v1/openapi.json", { token: null });
	const schema = body.paths["/v1/jobs"].post.requestBody.content["application/json"].schema;
	const conditions = (schema.oneOf ?? schema.anyOf).map(
		(each: { properties: { stopCondition: { const: string } } }) => each.properties.stopCondition.const,
	);
	expect(conditions).toEqual(["duration", "interrupt", "selenium_idle"]);
});

test("refusals are documented by status, as problem documents", async () => {
	const { body } = await api.call("GET", "/v1/openapi.json", { token: null });
	const { 429: crowded, default: other } = body.paths["/v1/jobs"].post.responses;
	expect(crowded.description).toContain("too_many_requests");
	expect(crowded.content).toEqual(other.content);
	const { 413: large, 507: full } = body.paths["/v1/uploads"].post.responses;
	expect(large.description).toContain("payload_too_large");
	expect(full.description).toMatch(/insufficient_storage.*quota_exceeded/);
});
