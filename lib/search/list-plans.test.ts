/** SQLite reads lists by an index that covers the filters, without a scan of all rows and without sorting. */
import { countJobsQuerySchema, listJobsQuerySchema } from "@tapedeck/contract/job.ts";
import { listRecordingsQuerySchema } from "@tapedeck/contract/recording.ts";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { countJobs } from "#lib/jobs/count-jobs.ts";
import { listJobs } from "#lib/jobs/list-jobs.ts";
import { reencryptPasswords } from "#lib/jobs/reencrypt-passwords.ts";
import { listRecordings } from "#lib/recordings/list-recordings.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { getRetention } from "#lib/recordings/space/retention.ts";
import { recoverUploads, sweepUploads } from "#lib/recordings/upload/sweep-uploads.ts";
import { plansOf } from "#test/databases/plans.ts";
import { openTestRecordings } from "#test/recordings.ts";

const scene = await openTestRecordings();
afterAll(() => scene.close());
// Without jobs, lists by date read none.
await scene.addJob();

const plansAs = (act: (ctx: ReturnType<typeof scene.as>) => Promise<unknown>): Promise<string[]> =>
	plansOf(scene.db, (db) => act({ ...scene.as("owner"), db, reads: db }));

const SORTS = /USE TEMP B-TREE FOR (ORDER|LAST)/;
const reads = (plans: string[], table: string) =>
	plans.filter((plan) => new RegExp(`(SCAN|SEARCH) ${table}\\b`).test(plan));

test.each([
	["status=failed", "job_by_status"],
	["status=failed&status=cancelled", "job_by_status"],
	["runnerId=3", "job_by_runner"],
	["runnerId=3&status=failed", "job_by_runner"],
	["stopCondition=interrupt", "job_by_condition"],
	["runnerId=3&stopCondition=interrupt", "job_by_runner_condition"],
	["createdBefore=2026-01-01T00:00:00Z&status=failed", "job_by_status"],
	["order=asc", "job_by_organization"],
	["order=asc&status=failed&status=cancelled", "job_by_status"],
	["order=asc&runnerId=3&stopCondition=interrupt", "job_by_runner_condition"],
])("jobs, %s: read from %s", async (search, index) => {
	const query = listJobsQuerySchema.parse(queryOf(search));
	const plans = await plansAs((ctx) => listJobs(ctx, query));
	// The look-up of the highest id is no search.
	const ids = reads(plans, "job").filter(
		(plan) => plan !== "SEARCH job" && !plan.includes("INTEGER PRIMARY KEY (rowid=?)"),
	);
	for (const plan of ids) expect(plan).toMatch(new RegExp(`^SEARCH job USING (COVERING )?INDEX ${index} `));
	expect(ids.length).toBeGreaterThan(0);
});

test.each([
	// Without filters, the index by outcome is allowed too.
	["", "job_by_status|job_by_outcome"],
	["runnerId=3", "job_by_runner"],
	["createdBefore=2026-01-01T00:00:00Z", "job_by_status"],
])("jobs are counted, %s: read from %s alone", async (search, index) => {
	const query = countJobsQuerySchema.parse(queryOf(search));
	const plans = reads(await plansAs((ctx) => countJobs(ctx, query)), "job").filter((plan) => plan !== "SEARCH job");
	for (const plan of plans) expect(plan).toMatch(new RegExp(`^SEARCH job USING (COVERING )?INDEX (${index}) `));
	expect(plans.length).toBeGreaterThan(0);
});

test.each([
	["sort=createdAt", "recording_by_file_kind"],
	["sort=createdAt&kind=video&kind=image&kind=document&kind=other", "recording_by_age"],
	["verdict=black", "recording_by_kind"],
	["verdict=black&state=live", "recording_by_kind|recording_live"],
	["runnerId=3", "recording_by_runner"],
	["runnerId=3&sort=bytes&state=ready&verdict=ok", "recording_by_runner_size"],
	["runnerId=3&sort=durationSeconds", "recording_by_runner_length|recording_by_runner|recording_live"],
	["sort=bytes", "recording_by_size|recording_by_kind|recording_live"],
	["sort=durationSeconds&verdict=frozen", "recording_by_length|recording_by_kind|recording_live"],
	["sort=bytes&state=partial", "recording_by_size"],
	["sort=bytes&state=partial&verdict=ok&order=asc", "recording_by_size"],
])("recordings, %s: read from %s", async (search, index) => {
	const query = listRecordingsQuerySchema.parse(queryOf(search));
	const plans = await plansAs((ctx) => listRecordings(ctx, query));
	const ids = reads(plans, "recording").filter((plan) => !plan.includes("INTEGER PRIMARY KEY (rowid=?)"));
	for (const plan of ids) expect(plan).toMatch(new RegExp(`^SEARCH recording USING (COVERING )?INDEX (${index}) `));
	expect(ids.length).toBeGreaterThan(0);
});

test("retention and old passwords are read from indexes of what they look for", async () => {
	const retention = await plansAs(getRetention);
	expect(reads(retention, "recording")).toEqual(
		["recording_trash", "recording_deletable", "recording_expendable"].map((index) => expect.stringContaining(index)),
	);
	expect(retention.filter((plan) => SORTS.test(plan))).toEqual([]);
	expect(reads(await plansAs(reencryptPasswords), "job")).toEqual([expect.stringContaining("job_with_password")]);
});

test("sweeps of uploads read only the recordings that are not ready", async () => {
	for (const sweep of [
		(ctx: RecordingContext) => recoverUploads(ctx, new AbortController().signal),
		(ctx: RecordingContext) => sweepUploads(ctx),
	]) {
		const recordings = reads(await plansAs(sweep as never), "recording");
		expect(recordings.length).toBeGreaterThan(0);
		for (const plan of recordings) {
			expect(plan).toMatch(/recording_(live|unfinished)|uploadId=\?|"?jobId=\?|sqlite_autoindex_recording/);
		}
	}
});

test("no list reads every job or recording", async () => {
	for (const search of ["", "status=failed", "q=abc", "q=a", "createdAfter=2026-01-01T00:00:00Z&q=abc"]) {
		const jobs = await plansAs((ctx) => listJobs(ctx, listJobsQuerySchema.parse(queryOf(search))));
		expect(
			jobs.filter((plan) => /^SCAN (job|recording)\b/.test(plan)),
			search,
		).toEqual([]);
	}
	const plans = await plansAs((ctx) => sql`select 1`.execute(ctx.db));
	expect(plans).toEqual(["SCAN CONSTANT ROW"]);
});

function queryOf(search: string): Record<string, string | string[]> {
	const params = new URLSearchParams(search);
	return Object.fromEntries(
		[...new Set(params.keys())].map((key) => {
			const all = params.getAll(key);
			return [key, all.length === 1 ? (all[0] ?? "") : all];
		}),
	);
}
