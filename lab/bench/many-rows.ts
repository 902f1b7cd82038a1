/** Jobs and recordings by the million, written by SQL straight into a dashboard's database. */
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

/** Where the rows go: a SQLite file, or a `postgres://` URL. */
export type Place = { file: string } | { url: string };

const RUNNERS = 50;
/** The runner that has one job in this many. */
export const RARE_RUNNER = 50;
const RARE = 10_007;
const BATCH = 200_000;

/** A name that one job has, in the oldest tenth. */
export const RARE_NAME = "Zanzibar";

/**
 * Adds jobs a second apart, the last one now, for the organization with id 1: 49 runners take turns and one is rare; a
 * few of the newest jobs are queued, most others completed. Most left a recording without a file: nearly all `ok`, one
 * in 5,003 `frozen`, the oldest ones also `black`.
 * @param options.labelled gives each five labels and most an outcome.
 */
export async function addManyRows(place: Place, jobs: number, { labelled = false } = {}): Promise<void> {
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
		for (let from = 1; labelled && from <= jobs; from += BATCH) {
			for (const table of ["job", "recording"]) await run(labelsOf(table, from, Math.min(jobs, from + BATCH - 1)));
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

/** How many jobs have the same build. */
export const PER_BUILD = 330;
/** One job in this many has the label `flaky` too. */
export const FLAKY = 100_003;

/** Five labels: a build of 330, a branch that most have, one test of 5,000, one suite of 20, one team of 10. */
function labelsOf(table: string, from: number, to: number): string {
	const labels = [
		["build", `'b' || (id / ${PER_BUILD})`],
		["branch", `case when id % 5 < 3 then 'main' else 'feature/' || (id % 200) end`],
		["test", `'test-' || (id % 5000)`],
		["suite", `'suite-' || (id % 20)`],
		["team", `'team-' || (id % 10)`],
	];
	const json = labels.map(([key, value]) => `'"${key}":"' || (${value}) || '"'`).join(` || ',' || `);
	const text = labels.map(([, value]) => `(${value})`).join(" || '\n' || ");
	const id = table === "job" ? "id" : '"jobId"';
	const of = (sql: string) => sql.replaceAll(/\bid\b/g, id);
	return `update ${table} set
		labels = '{' || ${of(json)} || case when ${id} % ${FLAKY} = 1 then ',"flaky":""' else '' end || '}',
		"searchText" = ${of(text)},
		outcome = case when ${id} % 7 = 0 then null when ${id} % 401 = 0 then 'error' when ${id} % 20 = 0 then 'failed' else 'passed' end
		where ${id} between ${from} and ${to}`;
}

/** A text that the error lines of one recording have, in the oldest tenth. */
export const RARE_ERROR = "quorum lost";
/** What error lines are made of, of which each recording has all. */
const ERRORS = [
	...["timeout waiting for selector #checkout", "connection refused by 10.0.0.7:5432", "net::err_connection_reset"],
	...["cannot read properties of undefined", "expected 200 but got 503", "assertion failed", "stale element reference"],
];

/** Adds error lines to each job, all of them different. */
export async function addManyErrorLines(place: Place, jobs: number, lines: number): Promise<void> {
	const { run, numbers, close } = await connect(place);
	const text = `'error [worker-' || (line % 9) || '] ' || ${oneOf(ERRORS, "(job + line * 3)")} || ' at step ' || line
		|| ' of order ' || (job * ${lines} + line) || ' in src/module-' || ((job + line) % 50) || '.ts:' || (job * line % 900)
		|| case when job = ${Math.ceil(jobs / 20)} and line = 100 then ' ${RARE_ERROR}' else '' end`;
	try {
		for (let from = 1; from <= jobs; from += 1_000) {
			await run(`insert into "errorText" ("jobId", lines, named, text)
				select job, ${lines}, (select lower(name) from job as named where id = job), string_agg(${text}, '\n')
				from (select i as job from ${numbers(from, Math.min(jobs, from + 999))}) as jobs,
					(select i as line from ${numbers(1, lines)}) as lines
				group by job`);
		}
	} finally {
		await close();
	}
}

/** A word that the message of one test result has. */
export const RARE_WORD = "Quetzalcoatl";
const TESTS = 100_000;

/**
 * Adds results of tests, in turns; each job has those of a build. One in 50 failed, with one of 200 causes; one in 1,000 is
 * flaky, and of the failures one in 20 is new.
 */
export async function addManyResults(place: Place, results: number, jobs: number): Promise<void> {
	const { run, numbers, close } = await connect(place);
	const begin = Date.now() - results * 100;
	const tests = Math.min(TESTS, results);
	try {
		for (let from = 1; from <= tests; from += BATCH) {
			await run(`insert into test (id, "organizationId", project, name, suite, "firstAt", "lastAt")
				select i, 1, '', 'Suite ' || (i % 100) || ' › test ' || i, 'Suite ' || (i % 100), ${begin}, ${Date.now()}
				from ${numbers(from, Math.min(tests, from + BATCH - 1))}`);
		}
		for (let from = 1; from <= results; from += BATCH) {
			await run(resultsOf(numbers(from, Math.min(results, from + BATCH - 1)), { begin, tests, results, jobs }));
		}
	} finally {
		await close();
	}
}

const resultsOf = (
	numbers: string,
	{ begin, tests, results, jobs }: { begin: number; tests: number; results: number; jobs: number },
) => `
	insert into "testResult" (id, "organizationId", "jobId", "testId", key, name, "searchText", project, suite, attempt, outcome,
		"startedAt", "endedAt", "momentAt", "failedAt", build, branch, "commit", cause, screen, "isFlaky", "isNew", bytes, message,
		"createdAt")
	select i, 1, job, test, 'k' || i, 'Suite ' || (test % 100) || ' › test ' || test,
		'Suite ' || (test % 100) || case when failed then message else '' end, '', 'Suite ' || (test % 100), 1,
		case when failed then 'failed' else 'passed' end, at, at + 900, case when failed then at + 800 end,
		case when failed then at + 1000 end, 'b' || job, case when job % 3 = 0 then 'topic/' || (job % 50) else 'main' end,
		'c' || job, case when failed then 'cause-' || (i % 200) end,
		case when failed then case i % 3 when 0 then '00ff00ff00ff00ff' when 1 then 'ff00ff00ff00ff00' else '0123456789abcdef' end end,
		case when i % 1000 = 0 then 1 else 0 end, case when i % 1000 = 50 then 1 else 0 end, 200,
		case when failed then message end, at
	from (select i, 1 + (i - 1) % ${tests} as test, 1 + (i - 1) * ${jobs} / ${results} as job, ${begin} + i * 100 as at,
		i % 50 = 0 as failed, 'expected ' || (i % 200) || ' rows'
			|| case when i = ${Math.ceil(results / 1_000) * 50} then ' ${RARE_WORD}' else '' end as message
		from ${numbers}) as rows`;

async function connect(place: Place) {
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
	await client.query(
		"drop index if exists job_name_search, recording_name_search, job_text_search, recording_text_search, test_result_name_search, test_result_text_search, error_text_search",
	);
	// Counted afterwards: a row that one transaction updates 200,000 times gets slower with each version of it.
	await client.query("alter table recording disable trigger recording_added");
	await client.query('alter table "testResult" disable trigger test_result_added');
	await client.query('alter table "testResult" disable trigger build_of_result_added');
	return {
		run: (query: string) => client.query(query),
		numbers: (from: number, to: number) =>
			`(select i from generate_series(${from}::bigint, ${to}::bigint) as n(i)) as n`,
		async close() {
			await client.query("alter table recording enable trigger recording_added");
			await client.query('alter table "testResult" enable trigger test_result_added');
			await client.query('alter table "testResult" enable trigger build_of_result_added');
			await client.query(`update build set tests = counted.tests, "testsFailed" = counted.failed,
				"testsPassed" = counted.tests - counted.failed from (select build, count(*) as tests,
				count(*) filter (where outcome = 'failed') as failed from "testResult" group by build) as counted
				where counted.build = build.name`);
			await client.query(`insert into "organizationUse" ("organizationId", bytes, recordings)
				select "organizationId", sum(bytes), count(*) from recording group by "organizationId"
				on conflict ("organizationId") do nothing`);
			// The sequences have not seen the ids, and the planner not the rows.
			for (const table of ["runner", "job", "test", '"testResult"']) {
				await client.query(
					`select setval(pg_get_serial_sequence('${table}', 'id'), (select coalesce(max(id), 1) from ${table}))`,
				);
			}
			await client.query("vacuum analyze");
			await client.end();
		},
	};
}
