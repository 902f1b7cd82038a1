/** Jobs and recordings by the million, written by SQL straight into a dashboard's database. */
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

/** The destination of the rows: a SQLite file, or a `postgres://` URL. */
export type Place = { file: string } | { url: string };

const RUNNERS = 50;
/** The runner that has one job in this many. */
export const RARE_RUNNER = 50;
const RARE = 10_007;
const BATCH = 200_000;

/** A name that one job has, in the oldest tenth. */
export const RARE_NAME = "Zanzibar";

/**
 * Adds jobs a second apart, the last one now, for the organization with id 1. 49 runners take turns and one is rare. A
 * few of the newest jobs are queued, most others completed. Most have a recording without a file: nearly all `ok`, one
 * in 5,003 `frozen`, the oldest ones also `black`.
 */
export async function addManyRows(place: Place, jobs: number): Promise<void> {
	const { run, numbers, close } = await connect(place);
	const now = Date.now();
	try {
		await run(`insert into runner (id, "organizationId", name, "signInName", version, displays, "createdAt")
			select i, 1, 'machine ' || i, 'machine ' || i, '1', '[]', 1 from ${numbers(1, RUNNERS)}`);
		for (let from = 1; from <= jobs; from += BATCH) {
			const some = numbers(from, Math.min(jobs, from + BATCH - 1));
			await run("begin");
			await run(jobsOf(some, jobs, now));
			await run(recordingsOf(from, from + BATCH - 1, jobs));
			await run("commit");
		}
	} finally {
		await close();
	}
}

const WORDS = ["checkout", "login", "search", "profile", "invoice", "basket", "refund", "signup"];
const PLACES = ["chrome", "firefox", "edge", "safari", "tablet"];
const oneOf = (words: readonly string[], index: string) =>
	`case ${index} % ${words.length} ${words.map((word, at) => `when ${at} then '${word}'`).join(" ")} end`;

const jobsOf = (numbers: string, jobs: number, now: number) => `
	insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition", "stopConditionConfig", status,
		"stopReason", "errorMessage", "createdAt", "startedAt", "stoppedAt", "endedAt", "createdByKind", "createdById",
		"createdByName", key)
	select i, 1, case when i % ${RARE} = 0 then ${RARE_RUNNER} else 1 + i % ${RUNNERS - 1} end, 'recording', ':' || (99 + i % 4),
		${oneOf(WORDS, "i")} || ' on ' || ${oneOf(PLACES, "(i / 8)")} || ' ' || i
			|| case when i = ${Math.ceil(jobs / 20)} then ' ${RARE_NAME}' else '' end,
		case when i % 10 < 6 then 'duration' when i % 10 < 9 then 'interrupt' else 'selenium_idle' end, '{"durationSeconds":30}',
		status, case status when 'completed' then 'duration_elapsed' when 'failed' then 'display_lost' when 'cancelled' then 'cancelled' end,
		case status when 'failed' then 'The display is gone.' end,
		at, case when status in ('queued', 'cancelled') then null else at end,
		case when status = 'queued' then null else at + 30000 end, case when status = 'queued' then null else at + 31000 end,
		'apiKey', 1, 'bench', 'key-' || i
	from (select i, ${now} - (${jobs} - i) * 1000 as at,
		case when i > ${jobs} - 20 then 'queued' when i % 11 = 0 then 'failed' when i % 37 = 0 then 'cancelled' else 'completed' end
			as status
		from ${numbers}) as rows`;

const recordingsOf = (from: number, to: number, jobs: number) => `
	insert into recording ("organizationId", "jobId", "runnerId", name, state, "contentType", "uploadId", "durationSeconds", bytes,
		width, height, verdict, "createdAt", "updatedAt")
	select 1, id, "runnerId", name, case when id % 101 = 0 then 'partial' else 'ready' end, 'video/mp4', 'job-' || id,
		5 + (id * 7919) % 1000, 1000 + (id * 104729) % 90000000, 1280, 720,
		case when id % 5003 = 0 then 'frozen' when id < ${jobs / 10} and id % 1009 = 0 then 'black' else 'ok' end, "createdAt", "endedAt"
	from job where id between ${from} and ${to} and status in ('completed', 'failed')`;

/** Triggers that count the bytes of an organization's rows. */
const COUNTING = [
	["recording", "recording_added"],
	['"testResult"', "test_result_added"],
] as const;

/** Opens a database to fill it. */
export async function connect(place: Place) {
	if ("file" in place) {
		const database = new DatabaseSync(place.file, { timeout: 10_000 });
		database.exec("pragma synchronous = off; pragma cache_size = -500000");
		return {
			run: async (query: string) => database.exec(query),
			numbers: (from: number, to: number) =>
				`(with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to}) select i from n)`,
			close: async () => database.close(),
		};
	}
	const client = new pg.Client({ connectionString: place.url });
	await client.connect();
	// Filled without, and created by the next migration: twenty times as fast.
	await client.query("drop index if exists job_name_search, recording_name_search");
	// Counted afterwards: a row that one transaction updates 200,000 times gets slower with each version of it.
	for (const [table, trigger] of COUNTING) await client.query(`alter table ${table} disable trigger ${trigger}`);
	return {
		run: (query: string) => client.query(query),
		numbers: (from: number, to: number) =>
			`(select i from generate_series(${from}::bigint, ${to}::bigint) as n(i)) as n`,
		async close() {
			for (const [table, trigger] of COUNTING) await client.query(`alter table ${table} enable trigger ${trigger}`);
			await client.query(`insert into "organizationUse" ("organizationId", bytes, recordings)
				select "organizationId", sum(bytes), sum(recordings) from (
					select "organizationId", bytes, 1 as recordings from recording
					union all select "organizationId", bytes, 0 from "testResult") as rows
				group by "organizationId"
				on conflict ("organizationId") do nothing`);
			// The sequences have not seen the ids, and the planner not the rows.
			for (const table of ["runner", "job"]) {
				await client.query(
					`select setval(pg_get_serial_sequence('${table}', 'id'), (select coalesce(max(id), 1) from ${table}))`,
				);
			}
			await client.query("vacuum analyze");
			await client.end();
		},
	};
}
