import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { getMigrations } from "better-auth/db/migration";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestAccounts, TEST_BASE_URL, TEST_SECRET, type TestAccounts } from "#test/accounts.ts";
import { cookieOf } from "#test/api-people.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { authenticate } from "../credentials/authenticate.ts";
import { markPeer } from "../sign-in/client-address.ts";
import { setUp } from "../sign-in/setup.ts";
import { SIGN_INS_PER_BURST } from "../sign-in/throttle.ts";
import { authOptions } from "./auth-options.ts";

const password = "correct horse";
const closing: (() => Promise<unknown>)[] = [];
let deps: TestAccounts;
let server: Server;
let url: string;

/** A server that handles /api/auth like the dashboard. */
async function serve(options: Parameters<typeof openTestAccounts>[1] = {}) {
	const listener = getRequestListener((request) => deps.auth.handler(request), { overrideGlobalObjects: false });
	server = createServer((req, res) => {
		markPeer(req);
		listener(req, res);
	}).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const port = new URL(url).port;
	deps = await openTestAccounts(undefined, { trustedOrigins: [url, `http://localhost:${port}`], ...options });
	await setUp(deps, { organizationName: "Acme", name: "Ada", email: "ada@example.com", password }, { local: true });
	closing.push(
		() => deps.close(),
		() => new Promise((resolve) => server.close(resolve)),
	);
}
beforeEach(() => {
	closing.length = 0;
});
afterEach(async () => {
	server?.closeAllConnections();
	for (const close of closing.reverse()) await close();
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
	fetch(`${url}/api/auth${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
	});
const signIn = (headers: Record<string, string> = {}, secret = password) =>
	post("/sign-in/email", { email: "ada@example.com", password: secret }, headers);

describe("the tables", () => {
	test("match what better-auth expects, on SQLite and on PostgreSQL", async () => {
		for (const location of [undefined, await createPostgresDatabase()]) {
			const accounts = await openTestAccounts(location);
			const events = { delivered: 0, publish: () => {}, subscribe: () => () => {} };
			const given = { ...accounts, events, baseUrl: TEST_BASE_URL, secret: TEST_SECRET };
			const options = authOptions(given, [TEST_BASE_URL]);
			const migrations = await getMigrations(options);
			expect(migrations.toBeCreated).toEqual([]);
			expect(migrations.toBeAdded).toEqual([]);
			expect((await migrations.compileMigrations()).replace(";", "").trim()).toBe("");
			await accounts.close();
		}
	});
});

test("signing in sets a cookie that scripts cannot read and other sites cannot send", async () => {
	await serve();
	const response = await signIn({ origin: url });
	expect(response.status).toBe(200);
	const [cookie = ""] = response.headers.getSetCookie();
	expect(cookie).toMatch(/^tapedeck\.session_token=/);
	expect(cookie).toMatch(/; HttpOnly/i);
	expect(cookie).toMatch(/; SameSite=Lax/i);
	expect(cookie).not.toMatch(/; Secure/i);
	const headers = new Headers({ cookie: cookieOf(response) });
	expect(await authenticate(deps, headers)).toMatchObject({ kind: "user", role: "owner" });
});

test("behind https the cookie is sent over https only", async () => {
	await serve({ baseUrl: "https://tapedeck.example.com" });
	const response = await signIn({ origin: "https://tapedeck.example.com" });
	expect(response.headers.getSetCookie()[0]).toMatch(/^__Secure-tapedeck\.session_token=.*; Secure/i);
	expect(await authenticate(deps, new Headers({ cookie: cookieOf(response) }))).toMatchObject({ kind: "user" });
});

test("pages under the base URL, localhost and 127.0.0.1 may sign in, pages of other sites may not", async () => {
	await serve();
	const { port } = new URL(url);
	for (const origin of [url, `http://localhost:${port}`, TEST_BASE_URL]) {
		expect((await signIn({ origin, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" })).status).toBe(200);
	}
	for (const origin of ["http://evil.example", `http://localhost:${Number(port) + 1}`, "null"]) {
		const response = await signIn({ origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" });
		expect(response.status).toBe(403);
		expect(response.headers.getSetCookie()).toEqual([]);
	}
});

test("a page served under an unlisted address may sign in there", async () => {
	await serve({ trustedOrigins: [] });
	expect((await signIn({ origin: url })).status).toBe(200);
	expect((await signIn({ origin: "http://192.0.2.7:3000" })).status).toBe(403);
});

test("a wrong password, an unknown user and a malformed body get the same refusal", async () => {
	await serve();
	expect((await signIn({ origin: url }, "wrong password")).status).toBe(401);
	const unknown = { email: "eve@example.com", password };
	expect((await post("/sign-in/email", unknown, { origin: url })).status).toBe(401);
	expect((await post("/sign-in/email", { email: 5 }, { origin: url })).status).toBe(400);
});

test("signing up and creating organizations is not possible over HTTP", async () => {
	await serve();
	const eve = { name: "Eve", email: "eve@example.com", password };
	expect((await post("/sign-up/email", eve, { origin: url })).status).toBe(400);
	const cookie = cookieOf(await signIn({ origin: url }));
	const response = await post("/organization/create", { name: "Mine", slug: "mine" }, { origin: url, cookie });
	expect(response.status).toBe(403);
	expect(await deps.db.selectFrom("user").selectAll().execute()).toHaveLength(1);
	expect(await deps.db.selectFrom("organization").selectAll().execute()).toHaveLength(1);
});

test("a cookie stops working as soon as its session signs out", async () => {
	await serve();
	const cookie = cookieOf(await signIn({ origin: url }));
	expect(await authenticate(deps, new Headers({ cookie }))).not.toBeNull();
	expect((await post("/sign-out", {}, { origin: "http://evil.example", cookie })).status).toBe(403);
	expect(await authenticate(deps, new Headers({ cookie }))).not.toBeNull();
	expect((await post("/sign-out", {}, { origin: url, cookie })).status).toBe(200);
	expect(await authenticate(deps, new Headers({ cookie }))).toBeNull();
});

test("password guessing is throttled per connection, whatever address the client claims", async () => {
	await serve({ throttle: true });
	const statuses: number[] = [];
	let last: Response | undefined;
	for (let at = 0; at < 12; at++) {
		last = await signIn(
			{ origin: url, "x-forwarded-for": `192.0.2.${at}`, "x-tapedeck-peer": `192.0.2.${at}` },
			"wrong password",
		);
		statuses.push(last.status);
	}
	expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
	expect(statuses.slice(10)).toEqual([429, 429]);
	expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("30 sign-ins in 10 seconds are taken from one address, and each dashboard of a process counts its own", async () => {
	await serve({ throttle: true });
	const first = url;
	const signIns = Array.from({ length: SIGN_INS_PER_BURST }, (_, at) =>
		post("/sign-in/email", { email: `person-${at}@example.com`, password }, { origin: url }),
	);
	// At the same time: on a busy machine, the answers alone may take longer than 10 seconds.
	const others = Array.from({ length: 2 }, () => post("/sign-in/social", { provider: "oidc" }, { origin: url }));
	const refused = (await Promise.all([...signIns, ...others])).filter(({ status }) => status === 429);
	expect(refused).toHaveLength(2);
	expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
	await serve({ throttle: true });
	expect(url).not.toBe(first);
	expect((await signIn({ origin: url })).status).toBe(200);
});
