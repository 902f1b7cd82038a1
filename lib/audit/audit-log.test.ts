/** The audit log as owners and admins read it. */
import { auditEntrySchema, auditPageSchema } from "@tapedeck/contract/audit.ts";
import { beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { join, type Person, signIn } from "#test/api-people.ts";
import { TEST_EMAIL } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { lengthenAuditLog } from "#test/long-audit-log.ts";
import { sweepAudit } from "./sweep-audit.ts";

onEachDatabase((api) => {
	let owner: Person;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	const read = async (query = "") => auditPageSchema.parse((await owner.call("GET", `/v1/audit-log${query}`)).body);

	test("signing in, failing to and signing out are recorded with the address", async () => {
		const other = await signIn(api());
		const wrong = { email: TEST_EMAIL.toUpperCase(), password: "not the password" };
		await api().call("POST", "/api/auth/sign-in/email", { token: null, headers: { origin: api().url }, body: wrong });
		await other.call("POST", "/api/auth/sign-out", { body: {} });
		const [ended, refused, started] = (await read("?limit=3")).data;
		expect(started).toMatchObject({ action: "session.started", actor: { kind: "user", id: owner.userId } });
		expect(refused).toMatchObject({ action: "session.refused", actor: { kind: "visitor", id: null } });
		expect(refused?.target).toMatchObject({ kind: "user", id: owner.userId });
		expect(ended).toMatchObject({ action: "session.ended", address: "127.0.0.1" });
		expect(JSON.stringify([ended, refused, started])).not.toContain("not the password");
	});

	test("changes of jobs and retention are recorded with who made them; a cancel that changed nothing is not", async () => {
		const { runnerId } = await api().signIn();
		const body = { runnerId, displayId: ":99", name: "Nightly", stopCondition: "interrupt" };
		const job = (await api().call("POST", "/v1/jobs", { body })).body;
		await api().call("POST", `/v1/jobs/${job.id}/cancel`);
		await api().call("POST", `/v1/jobs/${job.id}/cancel`);
		const policy = { maxAgeDays: 7, maxDiskPercent: null, maxBytes: null };
		await owner.call("PUT", "/v1/retention", { body: policy });
		const { data } = await read("?limit=3");
		expect(data.map(({ action, actor, target }) => [action, actor.kind, target?.id, target?.name])).toEqual([
			["retention.changed", "user", undefined, undefined],
			["job.cancelled", "apiKey", job.id, "Nightly"],
			["job.created", "apiKey", job.id, "Nightly"],
		]);
		expect(data[0]?.detail).toEqual(policy);
	});

	test("entries can be filtered by actor, action, target, address and time, and paged", async () => {
		for (const name of ["a", "b", "c"]) await owner.call("POST", "/v1/runner-tokens", { body: { name } });
		const created = (await read("?action=runner_token.created")).data;
		expect(created.map(({ target }) => target?.name)).toEqual(["c", "b", "a"]);
		const id = created[0]?.target?.id;
		expect((await read(`?target=runnerToken:${id}`)).data).toHaveLength(1);
		expect((await read("?target=runnerToken")).data.length).toBeGreaterThanOrEqual(3);
		expect((await read("?actor=apiKey&action=runner_token.created")).data).toEqual([]);
		expect((await read(`?actor=user:${owner.userId}&action=runner_token.created`)).data).toHaveLength(3);
		expect((await read("?address=203.0.113.9")).data).toEqual([]);
		expect((await read(`?before=${created[2]?.at}&action=runner_token.created`)).data).toEqual([]);
		expect((await read(`?after=${created[2]?.at}&action=runner_token.created`)).data).toHaveLength(3);
		const first = await read("?action=runner_token.created&limit=2");
		const rest = await read(`?action=runner_token.created&limit=2&cursor=${first.nextCursor}`);
		expect([...first.data, ...rest.data]).toEqual(created);
		for (const bad of ["actor=king", "action=job.eaten", "target=recording:x", "after=yesterday"]) {
			expect((await owner.call("GET", `/v1/audit-log?${bad}`)).status).toBe(422);
		}
	});

	test("the export has every entry as a line of JSON, oldest first, and takes the same filters", async () => {
		const exportLog = (query = "") =>
			fetch(`${api().url}/v1/audit-log/export${query}`, { headers: { cookie: owner.cookie() } });
		const answer = await exportLog();
		expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
		const parsed = (text: string) =>
			text
				.trimEnd()
				.split("\n")
				.map((line) => auditEntrySchema.parse(JSON.parse(line)).id);
		const ids = parsed(await answer.text());
		expect(ids).toEqual([...ids].sort((a, b) => a - b));
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.length).toBeGreaterThan(5);
		const filtered = parsed(await (await exportLog("?action=retention.changed")).text());
		expect(filtered).toHaveLength(1);
	});

	test("an export is cut off once its caller is no longer an admin", async () => {
		const admin = await join(api(), owner, "admin");
		await lengthenAuditLog(api());
		const answer = await fetch(`${api().url}/v1/audit-log/export`, { headers: { cookie: admin.cookie() } });
		expect(answer.status).toBe(200);
		expect((await owner.call("PATCH", `/v1/members/${admin.userId}`, { body: { role: "viewer" } })).status).toBe(200);
		// The export checks access again as soon as the role changes, so it knows before this call is answered.
		expect((await admin.call("GET", "/v1/audit-log")).status).toBe(403);
		await expect(answer.text()).rejects.toThrow();
	});

	test("members, viewers and API keys cannot read the audit log", async () => {
		for (const role of ["member", "viewer"]) {
			const person = await join(api(), owner, role);
			expect((await person.call("GET", "/v1/audit-log")).status).toBe(403);
			expect((await person.call("GET", "/v1/audit-log/export")).status).toBe(403);
		}
		expect((await api().call("GET", "/v1/audit-log")).status).toBe(403);
		expect((await (await join(api(), owner, "admin")).call("GET", "/v1/audit-log")).status).toBe(200);
	});

	test("entries are deleted once they are older than a year, and not before", async () => {
		const { app } = api();
		const before = (await read("?limit=1")).data[0]?.id ?? 0;
		expect(await sweepAudit(app)).toBe(0);
		const inTwoYears = Date.now() + 2 * 366 * 86_400_000;
		const early = sweepAudit({
			...contextFor(app, { kind: "system", organizationId: 1 }),
			clock: { now: () => inTwoYears },
		});
		await expect(early).rejects.toThrow(/can only be added to/);
		expect((await read("?limit=1")).data[0]?.id).toBe(before);
	});

	test("all entries of a year ago and before go in one sweep, and none of later", async () => {
		const { app } = api();
		const day = 86_400_000;
		const { id: _, ...some } = await app.db.selectFrom("auditEntry").selectAll().limit(1).executeTakeFirstOrThrow();
		const entry = { ...some, detail: "{}" };
		const now = Date.now();
		const entriesOf = (days: number, count: number) =>
			Array.from({ length: count }, (_, index) => ({ ...entry, at: now - days * day - index }));
		const young = entriesOf(365, 3);
		// More than are deleted at once, and the youngest of them first.
		const old = [...entriesOf(367, 1_100), ...entriesOf(800, 1_100)];
		for (const entries of [young, old.slice(0, 1_100), old.slice(1_100)]) {
			await app.db.insertInto("auditEntry").values(entries).execute();
		}
		expect(await sweepAudit(app)).toBe(old.length);
		const left = await app.db
			.selectFrom("auditEntry")
			.select("at")
			.where("at", "<=", young[0]?.at ?? 0)
			.execute();
		expect(left.map(({ at }) => at).sort()).toEqual(young.map(({ at }) => at).sort());
		expect(await sweepAudit(app)).toBe(0);
	});
});
