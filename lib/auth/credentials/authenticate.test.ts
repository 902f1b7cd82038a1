import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Actor } from "#lib/core/context.ts";
import { contextOf, cookieHeader, openTestAccounts, type TestAccounts } from "#test/accounts.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { variants } from "#test/in-explore.ts";
import { insertOrganization } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { setUp } from "../sign-in/setup.ts";
import { authenticate } from "./authenticate.ts";
import { createApiKey } from "./create-api-key.ts";
import { createRunnerToken } from "./create-runner-token.ts";
import { listApiKeys, listRunnerTokens } from "./list-credentials.ts";
import { revokeCredential } from "./revoke-credential.ts";

describe.each(variants(["sqlite", "postgres"] as const, (dialect) => dialect === "sqlite"))("on %s", (dialect) => {
	let deps: TestAccounts;
	let owner: Extract<Actor, { kind: "user" }>;
	let cookie: string;
	const password = "correct horse";

	beforeEach(async () => {
		deps = await openTestAccounts(dialect === "postgres" ? await createPostgresDatabase() : undefined);
		const body = { organizationName: "Acme", name: "Ada", email: "ada@example.com", password };
		owner = await setUp(deps, body, { local: true });
		cookie = cookieHeader(await deps.auth.signIn("ada@example.com", password, new Headers()));
	});
	afterEach(() => deps.close());

	const bearer = (token: string, more: Record<string, string> = {}, organizationId?: number) =>
		authenticate(deps, new Headers({ authorization: `Bearer ${token}`, ...more }), organizationId);
	const page = { limit: 50 };

	test("a session cookie authenticates its user, with the role in the organization", async () => {
		expect(await authenticate(deps, new Headers({ cookie }))).toEqual(owner);
		expect(await authenticate(deps, new Headers())).toBeNull();
		expect(await authenticate(deps, new Headers({ cookie: `${cookie}x` }))).toBeNull();
		expect(await authenticate(deps, new Headers({ cookie: "tapedeck.session_token=forged.signature" }))).toBeNull();
	});

	test("API keys and runner tokens are recognized by their secrets, which have a fixed format", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		const token = await createRunnerToken(contextOf(deps, owner), { name: "Fleet" });
		expect(key.secret).toMatch(/^tdk_[0-9A-Za-z]{32,}$/);
		expect(token.secret).toMatch(/^tdr_[0-9A-Za-z]{32,}$/);
		expect(key.secret.startsWith(key.prefix)).toBe(true);
		expect(key.prefix.length).toBeLessThanOrEqual(12);
		expect(await bearer(key.secret)).toMatchObject({ kind: "apiKey", apiKeyId: key.id, name: "CI" });
		expect(await bearer(token.secret)).toMatchObject({ kind: "runner", runnerTokenId: token.id, name: "Fleet" });
		expect(await authenticate(deps, new Headers({ authorization: `bearer  ${key.secret} ` }))).not.toBeNull();
		const stored = await deps.db.selectFrom("apiKey").selectAll().execute();
		expect(JSON.stringify(stored)).not.toContain(key.secret);
		expect(JSON.stringify(await listApiKeys(contextOf(deps, owner), page))).not.toContain(key.secret);
	});

	test("a Bearer token takes precedence over a cookie, even if the token is invalid", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		expect(await bearer(key.secret, { cookie })).toMatchObject({ kind: "apiKey" });
		for (const bad of ["tdk_nothing", "", `${key.secret}x`]) expect(await bearer(bad, { cookie })).toBeNull();
		// A reverse proxy's own Basic credentials are ignored.
		expect(await authenticate(deps, new Headers({ authorization: "Basic dTpw", cookie }))).toEqual(owner);
	});

	test("a revoked key or token is refused from the next call on", async () => {
		const ctx = contextOf(deps, owner);
		const key = await createApiKey(ctx, { name: "CI" });
		const token = await createRunnerToken(ctx, { name: "Fleet" });
		expect(await bearer(key.secret)).not.toBeNull();
		expect(await bearer(token.secret)).not.toBeNull();
		await revokeCredential(ctx, "apiKey", key.id);
		await revokeCredential(ctx, "runnerToken", token.id);
		expect(await bearer(key.secret)).toBeNull();
		expect(await bearer(token.secret)).toBeNull();
		expect((await listApiKeys(ctx, page)).data).toEqual([]);
		expect((await listRunnerTokens(ctx, page)).data).toEqual([]);
		await expect(revokeCredential(ctx, "apiKey", key.id)).rejects.toMatchObject({ code: "not_found" });
	});

	test("a revocation in another process takes effect within 5 s", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		expect(await bearer(key.secret)).not.toBeNull();
		const other = await deps.again();
		await revokeCredential(contextOf(other, owner), "apiKey", key.id);
		await other.close();
		// The cache goes by this clock. No caller waits for it, and a busy machine cannot use up the 5 s.
		const { now } = performance;
		vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 5_000);
		expect(await bearer(key.secret)).toBeNull();
		vi.restoreAllMocks();
	});

	test("an expired key is refused, even while it is cached", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		await deps.db
			.updateTable("apiKey")
			.set({ expiresAt: deps.clock.now() + 60_000 })
			.execute();
		expect(await bearer(key.secret)).not.toBeNull();
		deps.clock.advance(61_000);
		await expect(bearer(key.secret)).rejects.toMatchObject({ code: "unauthorized" });
	});

	test("a key stops working when its creator's membership ends", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		await deps.db.deleteFrom("member").execute();
		deps.credentials.forget();
		expect(await bearer(key.secret)).toBeNull();
	});

	test("the organization that a call names must be the caller's", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		const other = await insertOrganization(accountTables(deps.db), "Other", deps.clock.now());
		expect(await bearer(key.secret, {}, owner.organizationId)).not.toBeNull();
		await expect(bearer(key.secret, {}, other)).rejects.toMatchObject({ code: "forbidden" });
		const headers = new Headers({ cookie });
		expect(await authenticate(deps, headers, owner.organizationId)).toEqual(owner);
		await expect(authenticate(deps, headers, other)).rejects.toMatchObject({ code: "forbidden" });
		expect(await bearer("tdk_nothing", {}, other)).toBeNull();
	});

	test("a user of two organizations acts for the named one, else the active one, else the first", async () => {
		const db = accountTables(deps.db);
		const second = await insertOrganization(db, "Second", deps.clock.now());
		const createdAt = new Date().toISOString();
		await db
			.insertInto("member")
			.values({ organizationId: second, userId: owner.userId, role: "viewer", createdAt })
			.execute();
		const headers = new Headers({ cookie });
		expect(await authenticate(deps, headers)).toEqual(owner);
		expect(await authenticate(deps, headers, second)).toMatchObject({ organizationId: second, role: "viewer" });
		const request = new Request("http://localhost:3000/api/auth/organization/set-active", {
			method: "POST",
			headers: { cookie, origin: "http://localhost:3000", "content-type": "application/json" },
			body: JSON.stringify({ organizationId: String(second) }),
		});
		expect((await deps.auth.handler(request)).status).toBe(200);
		expect(await authenticate(deps, headers)).toMatchObject({ organizationId: second, role: "viewer" });
		expect(await authenticate(deps, headers, owner.organizationId)).toEqual(owner);
	});

	test("the last use is written once a minute, and never delays the call", async () => {
		const { id, secret } = await createApiKey(contextOf(deps, owner), { name: "CI" });
		const lastUsed = async () =>
			(await deps.db.selectFrom("apiKey").select("lastUsedAt").where("id", "=", id).executeTakeFirstOrThrow())
				.lastUsedAt;
		await bearer(secret);
		expect(await lastUsed()).toBeNull();
		await expect.poll(lastUsed).not.toBeNull();
		const first = await lastUsed();
		deps.clock.advance(30_000);
		await bearer(secret);
		await deps.lastUses.write();
		expect(await lastUsed()).toBe(first);
		deps.clock.advance(31_000);
		await bearer(secret);
		await deps.lastUses.write();
		expect(await lastUsed()).toBeGreaterThanOrEqual((first ?? 0) + 60_000);
	});

	test("keys of another organization can be neither listed nor revoked", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		const other = await insertOrganization(accountTables(deps.db), "Other", deps.clock.now());
		const otherOrganization = contextOf(deps, { ...owner, organizationId: other });
		expect((await listApiKeys(otherOrganization, page)).data).toEqual([]);
		await expect(revokeCredential(otherOrganization, "apiKey", key.id)).rejects.toMatchObject({ code: "not_found" });
		expect(await bearer(key.secret)).not.toBeNull();
	});

	test("each page of a list starts where the previous one ended", async () => {
		const ctx = contextOf(deps, owner);
		for (const name of ["a", "b", "c"]) await createRunnerToken(ctx, { name });
		const first = await listRunnerTokens(ctx, { limit: 2 });
		expect(first.data.map((each) => each.name)).toEqual(["c", "b"]);
		const rest = await listRunnerTokens(ctx, { limit: 2, cursor: first.nextCursor ?? "" });
		expect(rest).toMatchObject({ data: [{ name: "a" }], nextCursor: null });
		await expect(listRunnerTokens(ctx, { limit: 2, cursor: "!" })).rejects.toMatchObject({
			code: "validation_failed",
		});
	});
});
