/** Jobs and recordings are found by the error lines of their tracks. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { LOOKED_AT } from "#lib/search/plan.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { protocolRunner } from "#test/runners/protocol-runner.ts";
import { MAX_ERROR_CHARACTERS, MAX_ERROR_LINES } from "./error-text.ts";

const LISTS = ["/v1/jobs", "/v1/recordings", "/v1/recordings?sort=bytes"];

onEachDatabase((api) => {
	const runner = protocolRunner(api);

	/** More jobs and recordings than a page looks at before it asks the indexes. */
	const addOthers = async () => {
		const { db } = api().app;
		const count = LOOKED_AT + 10;
		const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`;
		await sql`insert into job ("organizationId", "runnerId", name, status, "createdAt", type, "displayId", "stopCondition",
				"stopConditionConfig", key)
			${numbers} select 1, ${runner.runnerId}, 'other', 'completed', i, 'recording', ':99', 'interrupt', '{}', ${runner.name} || i
			from n`.execute(db);
		await sql`insert into recording ("organizationId", "runnerId", name, "createdAt", state, "contentType", "uploadId",
				"durationSeconds", bytes, "updatedAt")
			${numbers} select 1, ${runner.runnerId}, 'other', 1000 + i, 'ready', 'video/mp4', ${runner.name} || i, 1, 100 + i, 1
			from n`.execute(db);
	};

	const record = async (name: string) => {
		const { id } = await runner.startJob({ name });
		const recordingId = await runner.storeRecording(id, "ready");
		await api().app.db.updateTable("recording").set({ name }).where("id", "=", recordingId).execute();
		return { jobId: id, recordingId };
	};

	const append = async (jobId: number, track: string, lines: readonly object[]) => {
		const at = new Date().toISOString();
		const raw = lines.map((line) => `${JSON.stringify({ at, level: "error", ...line })}\n`).join("");
		const headers = { "content-type": "application/x-ndjson" };
		const { status, body } = await api().call("POST", `/v1/jobs/${jobId}/tracks/${track}`, { raw, headers });
		expect(status, JSON.stringify(body)).toBe(200);
	};

	/** The jobs that each list finds. */
	const find = async (q: string): Promise<number[][]> =>
		Promise.all(
			LISTS.map(async (list) => {
				const { status, body } = await api().call(
					"GET",
					`${list}${list.includes("?") ? "&" : "?"}q=${encodeURIComponent(q)}`,
				);
				expect(status, JSON.stringify(body)).toBe(200);
				return body.data.map((one: { id: number; jobId?: number }) => one.jobId ?? one.id);
			}),
		);
	const inEachList = (jobIds: number[]) => LISTS.map(() => jobIds);

	test.each([
		["among the newest", false],
		["beyond what a page looks at", true],
	])("words are found in error lines as in names, each in either, %s", async (_where, isOld) => {
		const tag = isOld ? "old" : "new";
		const { jobId } = await record(`Checkout ${tag}`);
		await record(`Login ${tag}`);
		// At once, as tracks are written by several.
		await Promise.all([
			append(jobId, "log", [
				{ text: `TimeoutError: ${tag} waiting for \u001b[31m#pay\u001b[0m-now 100%_done` },
				{ text: `a hint of ${tag}`, level: "warn" },
			]),
			append(jobId, "console.chrome", [{ text: `${tag} Größe "4711"\n  at module.ts:12` }]),
		]);
		if (isOld) await addOthers();
		for (const text of [
			...[
				`timeouterror ${tag}`,
				`"${tag} WAITING for #pay-now"`,
				`"100%_done" ${tag}`,
				`GRÖSSE ${tag}`.replace("SS", "ß"),
			],
			...[
				`4711 timeout ${tag}`,
				`checkout pay-now ${tag}`,
				`"at module.ts:12" ${tag}`,
				`checkout ${tag} -login -nothing`,
			],
		]) {
			expect([text, await find(text)]).toEqual([text, inEachList([jobId])]);
		}
		for (const text of [
			`login timeouterror ${tag}`,
			`hint ${tag}`,
			`checkout -timeouterror ${tag}`,
			`"pay_now" ${tag}`,
		]) {
			expect([text, await find(text)]).toEqual([text, inEachList([])]);
		}
	});

	test("a job that is renamed is found by its new name and its error lines together", async () => {
		const { jobId } = await record("Before");
		await append(jobId, "log", [{ text: "spline reticulation failed" }]);
		expect(
			(await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { name: "After", labels: { build: "b77" } } })).status,
		).toBe(200);
		await addOthers();
		expect(await find("after b77 spline")).toEqual(inEachList([jobId]));
		expect(await find("before spline")).toEqual(inEachList([]));
	});

	test(`the first ${MAX_ERROR_LINES} different lines of a recording are found, each with its first ${MAX_ERROR_CHARACTERS} characters`, async () => {
		const { jobId } = await record("many");
		const half = MAX_ERROR_LINES / 2;
		const lines = (word: string, count: number) => Array.from({ length: count }, (_, n) => ({ text: `${word}<${n}>` }));
		await append(jobId, "log", [...Array(1_000).fill({ text: "repeated" }), ...lines("alpha", half - 1)]);
		await append(jobId, "console", [
			{ text: `${"x".repeat(MAX_ERROR_CHARACTERS - 4)}last-not` },
			...lines("beta", half),
		]);
		for (const text of ["repeated", "alpha<0>", `"alpha<${half - 2}>"`, "xxlast", `"beta<${half - 2}>"`]) {
			expect([text, await find(`many ${text}`)]).toEqual([text, inEachList([jobId])]);
		}
		for (const text of ["last-", `"beta<${half - 1}>"`]) {
			expect([text, await find(`many ${text}`)]).toEqual([text, inEachList([])]);
		}
	});

	test("the lines are no longer found when the recording is deleted for good", async () => {
		const { jobId, recordingId } = await record("gone");
		await append(jobId, "log", [{ text: "a leaked customer-name" }]);
		expect(await find("customer-name")).toEqual(inEachList([jobId]));
		await api().app.db.updateTable("job").set({ status: "completed" }).where("id", "=", jobId).execute();
		expect((await api().call("DELETE", `/v1/recordings/${recordingId}`)).status).toBe(204);
		expect((await api().call("DELETE", `/v1/deleted-recordings/${recordingId}`)).status).toBe(204);
		expect(await find("customer-name")).toEqual(inEachList([]));
		expect(await api().app.db.selectFrom("errorText").select("jobId").where("jobId", "=", jobId).execute()).toEqual([]);
		await addOthers();
		expect(await find("customer-name")).toEqual(inEachList([]));
	});

	test("nobody finds lines of another organization", async () => {
		const { jobId, recordingId } = await record("private");
		await append(jobId, "log", [{ text: "quarterly-figures are missing" }]);
		expect(await find("quarterly-figures")).toEqual(inEachList([jobId]));
		const { db } = api().app;
		await sql`insert into organization (id, name, slug, "createdAt") values (2, 'o', 'o', '2026-01-01')`.execute(db);
		await db.updateTable("job").set({ organizationId: 2 }).where("id", "=", jobId).execute();
		await db.updateTable("recording").set({ organizationId: 2 }).where("id", "=", recordingId).execute();
		expect(await find("quarterly-figures")).toEqual(inEachList([]));
		await addOthers();
		expect(await find("quarterly-figures")).toEqual(inEachList([]));
	});
});
