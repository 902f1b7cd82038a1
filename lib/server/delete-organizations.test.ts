/** An owner deletes an organization: with its name, after a grace time in which it can be cancelled, and then all of it. */
import { readdir, readFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { join, type Person, signIn } from "#test/api-people.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { deleteOrganizations } from "./delete-organizations.ts";

const DAY = 86_400_000;

let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4"));
});
afterAll(removeTestFolder);

onEachDatabase((api) => {
	let owner: Person;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	/** Sweeps at a time this many days from now. */
	const sweep = (days: number, stopping?: AbortSignal) => {
		const ctx = contextFor(api().app, { kind: "system", organizationId: 0 });
		return deleteOrganizations({ ...ctx, clock: { now: () => Date.now() + days * DAY } }, stopping);
	};
	const create = async (name: string): Promise<number> =>
		(await owner.call("POST", "/v1/organizations", { body: { name } })).body.id;
	const deletion = (id: number, method: "POST" | "DELETE", name?: string, by = owner) =>
		by.call(method, `/v1/organization/deletion?organizationId=${id}`, name === undefined ? {} : { body: { name } });
	const deleteAt = async (id: number) =>
		(await owner.call("GET", `/v1/me?organizationId=${id}`)).body.organizationDeleteAt;

	/** The tables that have rows of this organization. */
	async function tablesWith(organizationId: number): Promise<string[]> {
		const { db } = api().app;
		const columns =
			api().app.dialect === "postgres"
				? sql<{ name: string }>`select table_name as name from information_schema.columns
					where table_schema = current_schema() and column_name = 'organizationId'`
				: sql<{ name: string }>`select m.name from sqlite_master as m, pragma_table_info(m.name) as c
					where m.type = 'table' and c.name = 'organizationId'`;
		const found: string[] = [];
		for (const { name } of (await columns.execute(db)).rows) {
			const { rows } =
				await sql`select 1 from ${sql.table(name)} where "organizationId" = ${organizationId} limit 1`.execute(db);
			if (rows.length > 0) found.push(name);
		}
		return found.sort();
	}

	/** Something of everything in an organization. @returns its API key. */
	async function fill(id: number): Promise<string> {
		const of = `organizationId=${id}`;
		const key = (await owner.call("POST", `/v1/api-keys?${of}`, { body: { name: "Key" } })).body.secret;
		const token = (await owner.call("POST", `/v1/runner-tokens?${of}`, { body: { name: "Token" } })).body.secret;
		const call = async (method: string, path: string, options: object = {}) => {
			const answer = await api().call(method, path, { token: key, ...options });
			expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
			return answer.body;
		};
		const displays = [{ id: ":99", width: 640, height: 480 }];
		const runner = { name: "box", version: "test", instanceId: "instance-box", displays };
		const { runnerId } = (await api().call("POST", "/v1/runner/sign-in", { token, body: runner })).body;
		const body = { runnerId, displayId: ":99", stopCondition: "interrupt", labels: { build: "1", branch: "main" } };
		const job = await call("POST", "/v1/jobs", { body, headers: { "idempotency-key": "once" } });
		await call("POST", `/v1/jobs/${job.id}/markers`, { body: { label: "Step" } });
		await call("POST", `/v1/jobs/${job.id}/tests`, {
			body: [{ key: "a", test: "A", outcome: "failed", message: "x" }],
		});
		const run = await call("POST", "/v1/test-runs", { body: { labels: { build: "3" } } });
		await call("POST", `/v1/test-runs/${run.id}/tests`, { body: [{ key: "b", test: "B", outcome: "passed" }] });
		await call("POST", `/v1/jobs/${job.id}/tracks/log`, {
			raw: `{"at":"${new Date().toISOString()}","text":"broken","level":"error"}\n`,
			headers: { "content-type": "application/x-ndjson" },
		});
		for (const name of ["Stored", "Trashed"]) {
			const recording = await call("POST", `/v1/recordings?name=${name}&label=build=2&outcome=failed`, {
				raw: video,
				headers: { "content-type": "video/mp4" },
			});
			await call("POST", `/v1/recordings/${recording.id}/links`, { body: { expiresAt: null } });
			if (name === "Trashed") await call("DELETE", `/v1/recordings/${recording.id}`);
		}
		const policy = { maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null };
		expect((await owner.call("PUT", `/v1/retention?${of}`, { body: policy })).status).toBe(200);
		expect((await owner.call("POST", `/v1/invitations?${of}`, { body: { role: "viewer" } })).status).toBe(201);
		const view = { page: "jobs", name: "View", query: "q=x", shared: true };
		expect((await owner.call("POST", `/v1/views?${of}`, { body: view })).status).toBe(201);
		return key;
	}
	const files = async () => (await readdir(joinPath(api().dataDir, "videos"))).length;

	test("a deletion needs the organization's name and an owner, says when it happens, and can be cancelled by any owner", async () => {
		const id = await create("Kept");
		const member = await join(api(), owner, "admin");
		const wrong = await deletion(id, "POST", "kept");
		expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, "name"]);
		expect((await deletion(1, "POST", "Tapedeck", member)).status).toBe(403);
		expect(await deleteAt(id)).toBeNull();
		const before = Date.now();
		const { body } = await deletion(id, "POST", "Kept");
		expect(body).toEqual({ requestedAt: expect.any(String), requestedBy: owner.name, deleteAt: expect.any(String) });
		expect(Date.parse(body.deleteAt)).toBeGreaterThanOrEqual(before + 7 * DAY);
		expect(Date.parse(body.deleteAt)).toBeLessThanOrEqual(Date.now() + 7 * DAY);
		expect(await deleteAt(id)).toBe(body.deleteAt);
		// Asked again, the time does not move.
		expect((await deletion(id, "POST", "Kept")).body).toEqual(body);
		expect(await sweep(6.9)).toBe(0);
		for (const _ of [1, 2]) expect((await deletion(id, "DELETE")).status).toBe(204);
		expect(await deleteAt(id)).toBeNull();
		expect(await sweep(8)).toBe(0);
		expect((await owner.call("GET", `/v1/members?organizationId=${id}`)).status).toBe(200);
	});

	test("after the grace time everything of the organization is gone, and nothing of the others", async () => {
		const id = await create("Doomed");
		await fill(1);
		const [others, filesBefore] = [await tablesWith(1), await files()];
		const key = await fill(id);
		expect(await tablesWith(id)).toEqual(
			expect.arrayContaining([
				...["apiKey", "build", "idempotencyKey", "invitationLink", "job", "jobLabel", "marker", "member"],
				...["organizationUse", "recording", "recordingLabel", "retention", "runner", "runnerToken", "savedView"],
				...["shareLink", "test", "testResult", "testRun", "testRunLabel", "track"],
			]),
		);
		await deletion(id, "POST", "Doomed");
		// Stopped at once, the sweep has only closed the access. The next sweep continues.
		expect(await sweep(7.1, AbortSignal.abort())).toBe(0);
		expect((await api().call("GET", "/v1/jobs", { token: key })).status).toBe(401);
		expect((await owner.call("GET", `/v1/jobs?organizationId=${id}`)).status).toBe(403);
		expect(await tablesWith(id)).toContain("recording");
		expect(await sweep(7.1)).toBe(1);
		// Entries of the audit log that are younger than a year cannot be deleted.
		expect(await tablesWith(id)).toEqual(["auditEntry"]);
		expect(await files()).toBe(filesBefore);
		expect(await tablesWith(1)).toEqual(expect.arrayContaining(others));
		expect((await owner.call("GET", "/v1/me")).body.organizations).not.toContainEqual(expect.objectContaining({ id }));
		expect(await sweep(8)).toBe(0);
	});

	test("the last organization that stays cannot be deleted", async () => {
		const { organizations } = (await owner.call("GET", "/v1/me")).body;
		for (const { id, name } of organizations.slice(1)) expect((await deletion(id, "POST", name)).status).toBe(200);
		const refused = await deletion(1, "POST", organizations[0].name);
		expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
		for (const { id } of organizations.slice(1)) await deletion(id, "DELETE");
		await create("Another one");
		expect((await deletion(1, "POST", organizations[0].name)).status).toBe(200);
		expect((await deletion(1, "DELETE")).status).toBe(204);
	});
});
