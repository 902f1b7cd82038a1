/**
 * Triggers that keep the sums of each build's jobs, recordings and tests, so that no list of builds has to look at any of these.
 * Described in schema.ts.
 */
import type { DialectName } from "../dialect.ts";

type Row = "new" | "old";

const TEST_SUMS = ["tests", "testsPassed", "testsFailed", "testsError", "testsSkipped", "testsFlaky"] as const;
const is = (condition: string) => `case when ${condition} then 1 else 0 end`;
const labelOf = (dialect: DialectName, row: string, label: string) =>
	dialect === "sqlite" ? `json_extract(${row}.labels, '$.${label}')` : `(${row}.labels::jsonb ->> '${label}')`;
const isUnfinished = (row: string) => `${row}.status not in ('completed', 'failed', 'cancelled')`;

interface Trigger {
	name: string;
	/** Such as `insert on recording`. */
	after: string;
	when: string;
	/** Statements, each with its semicolon. */
	body: string;
}

/**
 * PostgreSQL runs the triggers of a row in the order of their names: a build's come before an organization's sums, so that two
 * transactions do not wait for each other.
 */
export function buildTriggersOf(dialect: DialectName): string[] {
	return [...labelTriggers(dialect, ["branch", "commit"]), ...resultTriggers(dialect, isFlaky)];
}

/**
 * The triggers of results.
 * @param isCountedAsFlaky the condition under which the last result of a test counts as flaky.
 */
export const resultTriggers = (dialect: DialectName, isCountedAsFlaky: (row: string) => string): string[] => {
	const countsOf = (row: string) => ({ ...outcomesOf(row), testsFlaky: lastIs(row, isCountedAsFlaky(row)) });
	return dialect === "sqlite" ? created(dialect, resultTriggersOfSqlite(countsOf)) : resultTriggersOfPostgres(countsOf);
};

/**
 * The triggers of jobs and recordings, which say the labels of their build, too.
 * @param labels the columns of a build that are labels.
 */
export const labelTriggers = (dialect: DialectName, labels: readonly string[]): string[] =>
	created(dialect, [...jobTriggers(dialect, labels), ...recordingTriggers(dialect, labels)]);

export const created = (dialect: DialectName, triggers: readonly Trigger[]): string[] =>
	triggers.flatMap(({ name, after, when, body }) =>
		dialect === "sqlite"
			? [`create trigger ${name} after ${after} when ${when} begin ${body} end`]
			: [
					`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
					`create trigger ${name} after ${after} for each row when (${when}) execute function ${name}()`,
				],
	);

/**
 * Adds what a row adds to its build, or takes it away.
 * @param labels the columns of a build that are labels.
 * @param adds by column.
 * @param sets what else a new row changes, by column.
 */
export function counted(
	dialect: DialectName,
	row: Row,
	labels: readonly string[],
	adds: Record<string, (row: Row) => string>,
	sets: Record<string, { value: string; becomes: string }> = {},
): string {
	const wasEmpty = "(build.recordings = 0 and build.jobs = 0)";
	const widened = (column: string, sign: "<" | ">") => ({
		value: `${row}."createdAt"`,
		becomes: `case when ${wasEmpty} or excluded."${column}" ${sign} build."${column}"
			then excluded."${column}" else build."${column}" end`,
	});
	const labelled = (label: string) => ({
		value: labelOf(dialect, row, label),
		becomes: `case when ${wasEmpty} then excluded."${label}" else coalesce(excluded."${label}", build."${label}") end`,
	});
	const all = {
		...{ firstAt: widened("firstAt", "<"), lastAt: widened("lastAt", ">") },
		...Object.fromEntries(labels.map((label) => [label, labelled(label)])),
		...sets,
	};
	const names = [...Object.keys(adds), ...Object.keys(all)].map((column) => `"${column}"`);
	const values = [
		...Object.values(adds).map((added) => `${row === "new" ? "" : "-"}(${added(row)})`),
		...Object.values(all).map(({ value }) => value),
	];
	const changes = [
		...Object.keys(adds).map((column) => `"${column}" = build."${column}" + excluded."${column}"`),
		...(row === "new" ? Object.entries(all).map(([column, { becomes }]) => `"${column}" = ${becomes}`) : []),
	];
	const build = labelOf(dialect, row, "build");
	// A build of jobs alone has no recordings; the column has no default.
	const isOfRecordings = "recordings" in adds;
	return `insert into build ("organizationId", name, ${names.join(", ")}${isOfRecordings ? "" : ", recordings"})
		select ${row}."organizationId", ${build}, ${values.join(", ")}${isOfRecordings ? "" : ", 0"}
		where ${build} is not null
		on conflict ("organizationId", name) do update set ${changes.join(", ")};`;
}

function jobTriggers(dialect: DialectName, labels: readonly string[]): Trigger[] {
	const adds = { jobs: () => "1", unfinishedJobs: (row: Row) => is(isUnfinished(row)) };
	const widened = (column: string, sign: "<" | ">") => ({
		value: `new."${column}"`,
		becomes: `case when build.jobs = 0 or build."${column}" is null or excluded."${column}" ${sign} build."${column}"
			then excluded."${column}" else build."${column}" end`,
	});
	const added = counted(dialect, "new", labels, adds, {
		startedAt: widened("startedAt", "<"),
		endedAt: widened("endedAt", ">"),
	});
	const removed = counted(dialect, "old", labels, adds);
	return [
		{ name: "build_of_job_added", after: "insert on job", when: "new.labels <> '{}'", body: added },
		{ name: "build_of_job_removed", after: "delete on job", when: "old.labels <> '{}'", body: removed },
		{
			name: "build_of_job_changed",
			after: 'update of labels, status, "startedAt", "endedAt" on job',
			when: `(new.labels <> '{}' or old.labels <> '{}') and (new.labels <> old.labels
				or (${isUnfinished("new")}) <> (${isUnfinished("old")})
				or new."startedAt" is distinct from old."startedAt" or new."endedAt" is distinct from old."endedAt")`,
			body: `${removed} ${added}`,
		},
	];
}

function recordingTriggers(dialect: DialectName, labels: readonly string[]): Trigger[] {
	const adds: Record<string, (row: Row) => string> = {
		recordings: () => "1",
		passed: (row) => is(`${row}.outcome = 'passed'`),
		failed: (row) => is(`${row}.outcome = 'failed'`),
		error: (row) => is(`${row}.outcome = 'error'`),
		skipped: (row) => is(`${row}.outcome = 'skipped'`),
		black: (row) => is(`${row}.verdict = 'black'`),
		running: (row) => is(`${row}.state = 'live'`),
		// A live one grows all the time, and counts once it is complete.
		durationMs: (row) =>
			`case when ${row}.state = 'live' then 0 else cast(round(${row}."durationSeconds" * 1000) as bigint) end`,
	};
	const added = counted(dialect, "new", labels, adds);
	const removed = counted(dialect, "old", labels, adds);
	return [
		{ name: "build_of_recording_added", after: "insert on recording", when: "new.labels <> '{}'", body: added },
		{ name: "build_of_recording_removed", after: "delete on recording", when: "old.labels <> '{}'", body: removed },
		{
			name: "build_of_recording_changed",
			after: 'update of labels, outcome, verdict, state, "durationSeconds" on recording',
			when: `(new.labels <> '{}' or old.labels <> '{}') and (new.labels <> old.labels
				or new.outcome is distinct from old.outcome or new.verdict is distinct from old.verdict or new.state <> old.state
				or (new.state <> 'live' and new."durationSeconds" <> old."durationSeconds"))`,
			body: `${removed} ${added}`,
		},
	];
}

/** The part of each column that a result adds to its build: the last one of each test counts. */
type CountsOf = (row: string) => Record<(typeof TEST_SUMS)[number], string>;

const lastIs = (row: string, condition: string): string => is(`${row}."isLast" = 1 and ${condition}`);
const isFlaky = (row: string): string => `${row}."isFlaky" = 1`;
const outcomesOf = (row: string) => ({
	tests: `${row}."isLast"`,
	testsPassed: lastIs(row, `${row}.outcome = 'passed'`),
	testsFailed: lastIs(row, `${row}.outcome = 'failed'`),
	testsError: lastIs(row, `${row}.outcome = 'error'`),
	testsSkipped: lastIs(row, `${row}.outcome = 'skipped'`),
});

/** The last result of each test in a build, and the sums of these. The build of a result exists, because its job is in it. */
function resultTriggersOfSqlite(countsOf: CountsOf): Trigger[] {
	const reordered = (row: Row) => `update "testResult" set "isLast" = 1 - "isLast"
		where "organizationId" = ${row}."organizationId" and build = ${row}.build and "testId" = ${row}."testId"
		and "isLast" <> case when id = (select other.id from "testResult" as other
			where other."organizationId" = ${row}."organizationId" and other.build = ${row}.build
			and other."testId" = ${row}."testId" order by other."startedAt" desc, other.id desc limit 1) then 1 else 0 end;`;
	const summed = (row: Row) => {
		const sums = Object.entries(countsOf(row)).map(
			([column, count]) => `"${column}" = "${column}" ${row === "new" ? "+" : "-"} (${count})`,
		);
		return `update build set ${sums.join(", ")} where "organizationId" = ${row}."organizationId" and name = ${row}.build;`;
	};
	return [
		{
			name: "build_of_result_added",
			after: 'insert on "testResult"',
			when: "new.build is not null",
			body: `${summed("new")} ${reordered("new")}`,
		},
		{
			name: "build_of_result_removed",
			after: 'delete on "testResult"',
			when: "old.build is not null",
			body: `${summed("old")} ${reordered("old")}`,
		},
		{
			name: "build_of_result_counted",
			after: 'update of build, outcome, "isLast", "isFlaky" on "testResult"',
			when: `(new.build is not null or old.build is not null) and (new.build is distinct from old.build
				or new.outcome is distinct from old.outcome or new."isLast" <> old."isLast" or new."isFlaky" <> old."isFlaky")`,
			body: `${summed("old")} ${summed("new")}`,
		},
		{
			name: "build_of_result_moved",
			after: 'update of build, "testId", "startedAt" on "testResult"',
			when: `(new.build is not null or old.build is not null) and (new.build is distinct from old.build
				or new."testId" <> old."testId" or new."startedAt" <> old."startedAt")`,
			body: `${reordered("old")} ${reordered("new")}`,
		},
	];
}

/**
 * The same on PostgreSQL, once for each statement: there, each further change of a row in one transaction reads all versions
 * of it before, so a build's row for each of its results would take time with the square of their number.
 */
function resultTriggersOfPostgres(countsOf: CountsOf): string[] {
	const parts = (rows: string, sign: "" | "-") => {
		const counts = Object.entries(countsOf("result")).map(([column, count]) => `${sign}(${count}) as "${column}"`);
		return `select "organizationId", build, ${counts.join(", ")} from ${rows} as result where build is not null`;
	};
	const summed = (...changes: string[]) => `
		update build set ${TEST_SUMS.map((column) => `"${column}" = build."${column}" + added."${column}"`).join(", ")}
		from (select "organizationId", build, ${TEST_SUMS.map((column) => `sum("${column}") as "${column}"`).join(", ")}
			from (${changes.join(" union all ")}) as change group by "organizationId", build) as added
		where build."organizationId" = added."organizationId" and build.name = added.build;`;
	// An update fires the triggers of updates also if it changes nothing: without the question it would never stop.
	const reordered = (tests: string) => `
		if exists (${tests}) then
			with newest as (
				select distinct on ("organizationId", build, "testId") "organizationId", build, "testId", id
				from "testResult" join (${tests}) as changed using ("organizationId", build, "testId")
				order by "organizationId", build, "testId", "startedAt" desc, id desc
			)
			update "testResult" as result set "isLast" = 1 - result."isLast" from newest
			where result."organizationId" = newest."organizationId" and result.build = newest.build
			and result."testId" = newest."testId"
			and result."isLast" <> case when result.id = newest.id then 1 else 0 end;
		end if;`;
	const testsOf = (...rows: string[]) =>
		rows.map((row) => `select "organizationId", build, "testId" from ${row} where build is not null`).join(" union ");
	const moved = (rows: string, others: string) => `(select one.* from ${rows} as one join ${others} as other
		on other.id = one.id where one.build is distinct from other.build or one."testId" <> other."testId"
		or one."startedAt" <> other."startedAt") as moved`;
	const trigger = (name: string, event: string, tables: string, body: string) => [
		`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
		`create trigger ${name} after ${event} on "testResult" referencing ${tables} for each statement execute function ${name}()`,
	];
	return [
		...trigger(
			"build_of_result_added",
			"insert",
			"new table as added",
			`${summed(parts("added", ""))} ${reordered(testsOf("added"))}`,
		),
		...trigger(
			"build_of_result_removed",
			"delete",
			"old table as removed",
			`${summed(parts("removed", "-"))} ${reordered(testsOf("removed"))}`,
		),
		...trigger(
			"build_of_result_changed",
			"update",
			"old table as before new table as after",
			`${summed(parts("before", "-"), parts("after", ""))}
			${reordered(testsOf(moved("before", "after"), moved("after", "before")))}`,
		),
	];
}
