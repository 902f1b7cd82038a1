import { SCOPES } from "@tapedeck/contract/permissions.ts";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cookieHeader, openTestAccounts, type TestAccounts } from "#test/accounts.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { variants } from "#test/in-explore.ts";
import { authenticate } from "../credentials/authenticate.ts";
import { bootstrap } from "./bootstrap.ts";
import { announceSetup, setUp, setupState } from "./setup.ts";

describe.each(variants(["sqlite", "postgres"] as const, (dialect) => dialect === "sqlite"))("on %s", (dialect) => {
	let deps: TestAccounts;
	beforeEach(async () => {
		deps = await openTestAccounts(dialect === "postgres" ? await createPostgresDatabase() : undefined);
	});
	afterEach(() => deps.close());

	const local = { local: true };
	const remote = { local: false };
	const body = { organizationName: "Acme", name: "Ada", email: "Ada@Example.com", password: "correct horse" };

	const counts = async () => {
		const tables = ["user", "account", "organization", "member", "apiKey", "runnerToken"] as const;
		const rows = await Promise.all(
			tables.map((table) => deps.db.selectFrom(sql.table(table).as("t")).selectAll().execute()),
		);
		return Object.fromEntries(tables.map((table, at) => [table, rows[at]?.length]));
	};
	const one = { user: 1, account: 1, organization: 1, member: 1, apiKey: 0, runnerToken: 0 };
	const none = { user: 0, account: 0, organization: 0, member: 0, apiKey: 0, runnerToken: 0 };

	async function signedIn(email: string, password: string) {
		const cookie = cookieHeader(await deps.auth.signIn(email, password, new Headers()));
		return authenticate(deps, new Headers({ cookie }));
	}

	test("the first set-up creates an owner who can sign in, and the second is refused", async () => {
		expect(await setupState(deps, local)).toEqual({ needed: true, codeRequired: false });
		const owner = await setUp(deps, body, local);
		expect(owner).toMatchObject({ kind: "user", role: "owner", name: "Ada" });
		expect(await setupState(deps, remote)).toEqual({ needed: false, codeRequired: false });
		expect(await signedIn("ada@example.com", "correct horse")).toEqual(owner);
		await expect(setUp(deps, { ...body, email: "eve@example.com" }, local)).rejects.toMatchObject({ code: "conflict" });
		expect(await counts()).toEqual(one);
	});

	test("exactly one of many set-ups at once, from two processes, creates the account", async () => {
		const second = await deps.again();
		const results = await Promise.allSettled(
			Array.from({ length: 6 }, (_, at) =>
				setUp(at % 2 === 0 ? deps : second, { ...body, email: `u${at}@example.com` }, local),
			),
		);
		await second.close();
		expect(results.filter((each) => each.status === "fulfilled")).toHaveLength(1);
		for (const each of results) {
			if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "conflict" });
		}
		expect(await counts()).toEqual(one);
	});

	test("a visitor from another machine needs the code from the log, and a wrong code creates nothing", async () => {
		expect(await setupState(deps, remote)).toEqual({ needed: true, codeRequired: true });
		await announceSetup(deps, "http://localhost:3000");
		expect(deps.logged.join()).toContain(deps.auth.setupCode);
		for (const code of [undefined, "", "AAAAA-AAAAA"]) {
			await expect(setUp(deps, { ...body, code }, remote)).rejects.toMatchObject({
				code: "validation_failed",
				faults: [{ path: "code" }],
			});
		}
		expect(await counts()).toEqual(none);
		await setUp(deps, { ...body, code: deps.auth.setupCode.toLowerCase().replace("-", " ") }, remote);
		expect(await counts()).toEqual(one);
		deps.logged.length = 0;
		await announceSetup(deps, "http://localhost:3000");
		expect(deps.logged).toEqual([]);
	});

	test("a bootstrap creates the owner, a key with every scope and a token with exactly the given values, once", async () => {
		const given = {
			email: "Op@Example.com",
			password: "operator password",
			apiKey: "bootstrap-api-key-0123456789",
			runnerToken: "bootstrap-runner-token-0123",
		};
		expect(await bootstrap(deps, given)).toBe(true);
		expect(await bootstrap(deps, { ...given, apiKey: "another-api-key-0123456789" })).toBe(false);
		expect(await counts()).toEqual({ ...one, apiKey: 1, runnerToken: 1 });
		const owner = await signedIn("op@example.com", "operator password");
		expect(owner).toMatchObject({ kind: "user", role: "owner" });
		const bearer = (token: string) => authenticate(deps, new Headers({ authorization: `Bearer ${token}` }));
		expect(await bearer(given.apiKey)).toMatchObject({ kind: "apiKey", scopes: SCOPES, organizationId: 1 });
		expect(await bearer(given.runnerToken)).toMatchObject({ kind: "runner", organizationId: 1 });
		expect(await bearer("another-api-key-0123456789")).toBeNull();
		expect((await setupState(deps, local)).needed).toBe(false);
	});

	test("two processes that bootstrap at once create one organization", async () => {
		const second = await deps.again();
		const given = { email: "op@example.com", password: "operator password", apiKey: "bootstrap-api-key-0123456789" };
		const results = await Promise.all([bootstrap(deps, given), bootstrap(second, given)]);
		await second.close();
		expect(results.filter(Boolean)).toHaveLength(1);
		expect(await counts()).toEqual({ ...one, apiKey: 1 });
	});

	test("a bootstrapped key works without a user, and the first set-up then owns its organization", async () => {
		const apiKey = "bootstrap-api-key-0123456789";
		await bootstrap(deps, { apiKey });
		expect(await counts()).toEqual({ ...none, organization: 1, apiKey: 1 });
		expect((await setupState(deps, local)).needed).toBe(true);
		const owner = await setUp(deps, body, local);
		const key = await authenticate(deps, new Headers({ authorization: `Bearer ${apiKey}` }));
		expect(key?.organizationId).toBe(owner.organizationId);
		expect(await counts()).toEqual({ ...one, apiKey: 1 });
	});

	test("a bootstrap without values, or after a set-up, changes nothing", async () => {
		expect(await bootstrap(deps, {})).toBe(false);
		expect(await counts()).toEqual(none);
		await setUp(deps, body, local);
		expect(await bootstrap(deps, { runnerToken: "bootstrap-runner-token-0123" })).toBe(false);
		expect(await counts()).toEqual(one);
	});
});
