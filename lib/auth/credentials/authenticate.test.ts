import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import type { Actor } from "../../core/context.ts";
import { insertOrganization } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { contextOf, cookieHeader, openTestAccounts, type TestAccounts } from "../../../test/accounts.ts";
import { authenticate } from "./authenticate.ts";
import { createApiKey } from "./create-api-key.ts";
import { createRunnerToken } from "../create-runner-token.ts";
import { forgetCredentials } from "../credential-cache.ts";
import { writeUses } from "../last-use.ts";
import { listApiKeys, listRunnerTokens } from "./list-credentials.ts";
import { revokeCredential } from "./revoke-credential.ts";
import { setUp } from "../sign-in/setup.ts";

describe.each(["sqlite", "postgres"] as const)("on %s", (dialect) => {
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

	const bearer = (token: string, more: Record<string, string> = {}, wanted?: number) =>
		authenticate(deps, new Headers({ authorization: `Bearer ${token}`, ...more }), wanted);
	const page = { limit: 50 };

	test("a session cookie is its user, with the role in the organization", async () => {
		expect(await authenticate(deps, new Headers({ cookie }))).toEqual(owner);
		expect(await authenticate(deps, new Headers())).toBeNull();
		expect(await authenticate(deps, new Headers({ cookie: `${cookie}x` }))).toBeNull();
		expect(await authenticate(deps, new Headers({ cookie: "tapedeck.session_token=forged.signature" }))).toBeNull();
	});

	test("an API key and a runner token are told by their secrets, whose shape is known", async () => {
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

	test("a Bearer token beats a cookie, and a bad one is not made good by a cookie", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		expect(await bearer(key.secret, { cookie })).toMatchObject({ kind: "apiKey" });
		for (const bad of ["tdk_nothing", "", `${key.secret}x`]) expect(await bearer(bad, { cookie })).toBeNull();
		// A reverse proxy's own Basic password says nothing about us.
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

	test("a revocation in another process counts within 5 s", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		expect(await bearer(key.secret)).not.toBeNull();
		const other = await deps.again();
		await revokeCredential(contextOf(other, owner), "apiKey", key.id);
		await other.close();
		await expect.poll(() => bearer(key.secret), { timeout: 5_000, interval: 100 }).toBeNull();
	});

	test("an expired key is refused, also while it is still remembered", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		await deps.db
			.updateTable("apiKey")
			.set({ expiresAt: deps.clock.now() + 60_000 })
			.execute();
		expect(await bearer(key.secret)).not.toBeNull();
		deps.clock.advance(61_000);
		await expect(bearer(key.secret)).rejects.toMatchObject({ code: "unauthorized" });
	});

	test("a key does not outlive its maker's membership", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		await deps.db.deleteFrom("member").execute();
		forgetCredentials(deps.db);
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

	test("a user of two organizations acts for the named one, else for the active one, else for the first", async () => {
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

	test("the last use is written once a minute, and never while the call waits", async () => {
		const { id, secret } = await createApiKey(contextOf(deps, owner), { name: "CI" });
		const lastUsed = async () =>
			(await deps.db.selectFrom("apiKey").select("lastUsedAt").where("id", "=", id).executeTakeFirstOrThrow())
				.lastUsedAt;
		await bearer(secret);
		expect(await lastUsed()).toBeNull();
		await expect.poll(lastUsed, { timeout: 5_000 }).not.toBeNull();
		const first = await lastUsed();
		deps.clock.advance(30_000);
		await bearer(secret);
		await writeUses(deps.db);
		expect(await lastUsed()).toBe(first);
		deps.clock.advance(31_000);
		await bearer(secret);
		await writeUses(deps.db);
		expect(await lastUsed()).toBeGreaterThanOrEqual((first ?? 0) + 60_000);
	});

	test("keys and tokens are for owners and admins; an API key may make runner tokens", async () => {
		for (const role of ["member", "viewer"] as const) {
			const ctx = contextOf(deps, { ...owner, role });
			await expect(createApiKey(ctx, { name: "x" })).rejects.toMatchObject({ code: "forbidden" });
			await expect(createRunnerToken(ctx, { name: "x" })).rejects.toMatchObject({ code: "forbidden" });
			await expect(listApiKeys(ctx, page)).rejects.toMatchObject({ code: "forbidden" });
			await expect(listRunnerTokens(ctx, page)).rejects.toMatchObject({ code: "forbidden" });
			await expect(revokeCredential(ctx, "apiKey", 1)).rejects.toMatchObject({ code: "forbidden" });
			await expect(revokeCredential(ctx, "runnerToken", 1)).rejects.toMatchObject({ code: "forbidden" });
		}
		const admin = contextOf(deps, { ...owner, role: "admin" });
		await createApiKey(admin, { name: "CI" });
		const key = { kind: "apiKey", organizationId: owner.organizationId, apiKeyId: 1, name: "CI" } as const;
		const writer = contextOf(deps, { ...key, scopes: ["runners:write"] });
		expect((await createRunnerToken(writer, { name: "Fleet" })).secret).toMatch(/^tdr_/);
		await expect(createApiKey(writer, { name: "x" })).rejects.toMatchObject({ code: "forbidden" });
		await expect(listRunnerTokens(writer, page)).rejects.toMatchObject({ code: "forbidden" });
		const reader = contextOf(deps, { ...key, scopes: ["runners:read"] });
		await expect(createRunnerToken(reader, { name: "x" })).rejects.toMatchObject({ code: "forbidden" });
	});

	test("another organization's keys are not there: not listed, not revoked", async () => {
		const key = await createApiKey(contextOf(deps, owner), { name: "CI" });
		const other = await insertOrganization(accountTables(deps.db), "Other", deps.clock.now());
		const stranger = contextOf(deps, { ...owner, organizationId: other });
		expect((await listApiKeys(stranger, page)).data).toEqual([]);
		await expect(revokeCredential(stranger, "apiKey", key.id)).rejects.toMatchObject({ code: "not_found" });
		expect(await bearer(key.secret)).not.toBeNull();
	});

	test("lists go on where the page before ended", async () => {
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
