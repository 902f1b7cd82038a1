import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createApiKey } from "#lib/auth/credentials/create-api-key.ts";
import { TRUST_NOBODY } from "#lib/auth/sign-in/client-address.ts";
import { type AppContext, setAppContext } from "#lib/http/app-context.ts";
import { createEntry } from "#lib/http/http-entry.ts";
import { RateLimits } from "#lib/http/rate-limits.ts";
import type { RouteHandler } from "#lib/http/route.ts";
import type { RouteEntry } from "#lib/http/route-table.ts";
import { CallSigner } from "#lib/nodes/forward.ts";
import { contextOf, openTestAccounts, type TestAccounts } from "#test/accounts.ts";
import * as apiKey from "../api-keys/[apiKeyId]/route.ts";
import * as apiKeys from "../api-keys/route.ts";
import * as me from "../me/route.ts";
import * as runnerToken from "../runner-tokens/[runnerTokenId]/route.ts";
import * as runnerTokens from "../runner-tokens/route.ts";
import * as setup from "./route.ts";

let deps: TestAccounts;
let server: Server;
let url: string;

const entry = (method: string, path: string, web: RouteHandler): RouteEntry => ({
	method,
	path,
	definition: web.definition,
	segments: path.split("/").slice(1),
	web,
});

beforeEach(async () => {
	deps = await openTestAccounts();
	const routes = [
		entry("GET", "/v1/setup", setup.GET),
		entry("POST", "/v1/setup", setup.POST),
		entry("GET", "/v1/me", me.GET),
		entry("GET", "/v1/api-keys", apiKeys.GET),
		entry("POST", "/v1/api-keys", apiKeys.POST),
		entry("DELETE", "/v1/api-keys/:apiKeyId", apiKey.DELETE),
		entry("GET", "/v1/runner-tokens", runnerTokens.GET),
		entry("POST", "/v1/runner-tokens", runnerTokens.POST),
		entry("DELETE", "/v1/runner-tokens/:runnerTokenId", runnerToken.DELETE),
	];
	const limits = new RateLimits({
		callsPerMinute: 0,
		unauthenticatedCallsPerMinute: 0,
		pagesPerMinute: 0,
		openStreams: 0,
	});
	const callSigner = new CallSigner(["a key"], deps.clock);
	const stopping = new AbortController().signal;
	const app = { ...deps, baseUrl: "http://localhost", stopping, routes, limits, callSigner };
	setAppContext(app as unknown as AppContext);
	const listener = createEntry({
		app: app as unknown as AppContext,
		draining: false,
		routes,
		pages: null,
		development: false,
		allowedOrigins: [],
		embedOrigins: [],
		headers: {},
		trusts: TRUST_NOBODY,
		logsRefusedOnly: true,
	});
	server = createServer(listener).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
	await deps.close();
});

type Answer = { status: number; body: Record<string, unknown>; cookie: string };
/** fetch does not let a test choose the Host header. */
function call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const text = body === undefined ? undefined : JSON.stringify(body);
		const json: Record<string, string> = text === undefined ? {} : { "content-type": "application/json" };
		const sent = httpRequest(`${url}${path}`, { method, headers: { ...json, ...headers } }, async (res) => {
			let answer = "";
			for await (const chunk of res) answer += chunk;
			const cookie = (res.headers["set-cookie"] ?? []).map((each) => each.split(";")[0]).join("; ");
			resolve({ status: res.statusCode ?? 0, body: answer === "" ? {} : JSON.parse(answer), cookie });
		});
		sent.on("error", reject);
		sent.end(text);
	});
}

const body = { organizationName: "Acme", name: "Ada", email: "ada@example.com", password: "correct horse" };

test("the first visitor on this machine completes the set-up and is signed in by the response", async () => {
	expect(await call("GET", "/v1/setup")).toMatchObject({ status: 200, body: { needed: true, codeRequired: false } });
	const created = await call("POST", "/v1/setup", body, { origin: url });
	expect(created).toMatchObject({ status: 201, body: { name: "Ada", role: "owner", organizationName: "Acme" } });
	const whoami = await call("GET", "/v1/me", undefined, { cookie: created.cookie });
	expect(whoami).toMatchObject({ status: 200, body: created.body });
	expect(await call("GET", "/v1/setup")).toMatchObject({ body: { needed: false, codeRequired: false } });
	const again = await call("POST", "/v1/setup", { ...body, email: "eve@example.com" });
	expect(again).toMatchObject({ status: 409, body: { code: "conflict" }, cookie: "" });
});

test("visitors not proven to be on this machine need the code from the log: proxies, rebound host names, forged headers", async () => {
	const visitors: Record<string, string>[] = [
		{ "x-forwarded-for": "192.0.2.1" },
		{ host: "evil.example" },
		{ host: "evil.example", "x-tapedeck-peer": "127.0.0.1" },
	];
	for (const headers of visitors) {
		expect((await call("GET", "/v1/setup", undefined, headers)).body).toEqual({ needed: true, codeRequired: true });
		const refused = await call("POST", "/v1/setup", body, headers);
		expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: "code", code: "required" }] } });
	}
	const code = deps.auth.setupCode;
	expect((await call("POST", "/v1/setup", { ...body, code }, visitors[0])).status).toBe(201);
});

test("a page of another site cannot complete the set-up", async () => {
	const evil = { origin: "http://evil.example", "sec-fetch-site": "cross-site" };
	expect((await call("POST", "/v1/setup", body, evil)).status).toBe(403);
	expect((await call("GET", "/v1/setup")).body).toMatchObject({ needed: true });
});

test("an invalid set-up is refused with every fault and creates nothing", async () => {
	const answer = await call("POST", "/v1/setup", { email: "nobody", password: "short", role: "owner" });
	expect(answer.status).toBe(422);
	const paths = (answer.body.errors as { path: string }[]).map((fault) => fault.path).sort();
	expect(paths).toEqual(["email", "name", "organizationName", "password", "role"]);
	expect((await call("GET", "/v1/setup")).body).toMatchObject({ needed: true });
});

test.each([
	["/v1/api-keys", /^tdk_/],
	["/v1/runner-tokens", /^tdr_/],
])("%s are created, shown once, listed without their secret, and revoked", async (path, shape) => {
	const { cookie } = await call("POST", "/v1/setup", body);
	const created = await call("POST", path, { name: " CI " }, { cookie });
	expect(created).toMatchObject({ status: 201, body: { name: "CI", lastUsedAt: null, expiresAt: null } });
	expect(created.body.secret).toMatch(shape);
	const listed = await call("GET", path, undefined, { cookie });
	const { secret, ...shown } = created.body;
	expect(listed).toMatchObject({ status: 200, body: { data: [shown], nextCursor: null } });
	expect(JSON.stringify(listed.body)).not.toContain(secret);
	expect((await call("POST", path, { name: "", extra: 1 }, { cookie })).status).toBe(422);
	expect((await call("POST", path, { name: "x" }, { cookie, "sec-fetch-site": "cross-site" })).status).toBe(403);
	expect((await call("DELETE", `${path}/x`, undefined, { cookie })).status).toBe(404);
	expect((await call("DELETE", `${path}/${created.body.id}`, undefined, { cookie })).status).toBe(204);
	expect((await call("DELETE", `${path}/${created.body.id}`, undefined, { cookie })).status).toBe(404);
	expect((await call("GET", path, undefined, { cookie })).body).toEqual({ data: [], nextCursor: null });
	expect((await call("GET", "/v1/me", undefined, { authorization: `Bearer ${secret}` })).status).toBe(401);
});

test("an API key can read its identity and create runner tokens, and do nothing else with keys and tokens", async () => {
	const { cookie } = await call("POST", "/v1/setup", body);
	const key = (await call("POST", "/v1/api-keys", { name: "CI" }, { cookie })).body;
	const bearer = { authorization: `Bearer ${key.secret}` };
	const whoami = await call("GET", "/v1/me", undefined, bearer);
	expect(whoami.body).toMatchObject({ kind: "apiKey", apiKeyId: key.id, name: "CI", organizationName: "Acme" });
	expect((await call("POST", "/v1/runner-tokens", { name: "Fleet" }, bearer)).status).toBe(201);
	for (const [method, path] of [
		["GET", "/v1/api-keys"],
		["POST", "/v1/api-keys"],
		["DELETE", "/v1/api-keys/1"],
		["GET", "/v1/runner-tokens"],
		["DELETE", "/v1/runner-tokens/1"],
	] as const) {
		const answer = await call(method, path, method === "POST" ? { name: "x" } : undefined, bearer);
		expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
		expect((await call(method, path)).status).toBe(401);
	}
	const fewer = await createApiKey(
		contextOf(deps, { kind: "user", organizationId: 1, userId: 1, name: "Ada", role: "owner" }),
		{ name: "Reader" },
	);
	await deps.db.updateTable("apiKey").set({ scopes: '["runners:read"]' }).where("id", "=", fewer.id).execute();
	const reader = { authorization: `Bearer ${fewer.secret}` };
	expect((await call("POST", "/v1/runner-tokens", { name: "x" }, reader)).status).toBe(403);
});
