/**
 * The repositories of tests and of builds: a test is told from those of other repositories, and a build is compared with one of
 * its own. Described in schema.ts; contract/series.ts has the rules.
 */
import { nameWithoutNumber } from "@tapedeck/contract/series.ts";
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { labelTriggers } from "./0001-baseline-builds.ts";

export async function addRepositories(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const run = async (statements: readonly string[]) => {
		for (const statement of statements) await sql.raw(statement).execute(db);
	};
	await run(columnsOfBuilds(dialect));
	await run(dialect === "sqlite" ? newTableOfTests() : newColumnOfTests());
	await nameRepositories(db);
	await run(splitTests(dialect));
}

const labelOf = (dialect: DialectName, row: string, label: string) =>
	dialect === "sqlite" ? `json_extract(${row}.labels, '$.${label}')` : `(${row}.labels::jsonb ->> '${label}')`;

function columnsOfBuilds(dialect: DialectName): string[] {
	const ofBuild = `label.key = 'build' and label."organizationId" = build."organizationId" and label.value = build.name`;
	const newest = (label: string) => `coalesce(
		(select ${labelOf(dialect, "job", label)} from "jobLabel" as label join job on job.id = label."jobId"
			where ${ofBuild} order by job.id desc limit 1),
		(select ${labelOf(dialect, "recording", label)} from "recordingLabel" as label
			join recording on recording.id = label."recordingId" where ${ofBuild} order by recording.id desc limit 1))`;
	const dropped = ["job", "recording"].flatMap((table) =>
		["added", "removed", "changed"].flatMap((change) => {
			const name = `build_of_${table}_${change}`;
			return dialect === "sqlite"
				? [`drop trigger ${name}`]
				: [`drop trigger ${name} on ${table}`, `drop function ${name}()`];
		}),
	);
	return [
		...dropped,
		"alter table build add column repository text",
		"alter table build add column workflow text",
		`update build set repository = ${newest("repository")}, workflow = ${newest("workflow")}`,
		...labelTriggers(dialect, ["branch", "commit", "repository", "workflow"]),
		`create index build_by_series on build ("organizationId", repository, workflow, branch, "firstAt")`,
	];
}

/** SQLite cannot change a constraint. The new table has the old one's rows before the results are compared with it. */
const newTableOfTests = (): string[] => [
	"pragma defer_foreign_keys = on",
	// Ids are never given out twice.
	`create temporary table "lastTest" as select seq from sqlite_sequence where name = 'test'`,
	`create table "testBefore" as select * from test`,
	"drop table test",
	`create table test (
		id integer primary key autoincrement,
		"organizationId" integer not null references organization (id) on delete cascade,
		repository text not null default '',
		project text not null,
		name text not null,
		suite text,
		file text,
		line integer,
		"firstAt" integer not null,
		"lastAt" integer not null,
		constraint test_of_organization unique ("organizationId", name, project, repository)
	)`,
	`insert into test (id, "organizationId", project, name, suite, file, line, "firstAt", "lastAt")
		select id, "organizationId", project, name, suite, file, line, "firstAt", "lastAt" from "testBefore"`,
	`delete from sqlite_sequence where name = 'test'`,
	`insert into sqlite_sequence (name, seq) select 'test', seq from "lastTest"`,
	`drop table "testBefore"`,
	`drop table "lastTest"`,
];

const newColumnOfTests = (): string[] => [
	"alter table test add column repository text not null default ''",
	`alter table test drop constraint test_of_organization,
		add constraint test_of_organization unique ("organizationId", name, project, repository)`,
];

/** The series of each build, which stands for the repository of results that have no such label. */
async function nameRepositories(db: Kysely<unknown>): Promise<void> {
	await sql.raw(`create temporary table "seriesOfBuild" (build text primary key, series text not null)`).execute(db);
	const { rows } = await sql.raw<{ name: string }>("select distinct name from build").execute(db);
	for (let from = 0; from < rows.length; from += 1_000) {
		const values = rows.slice(from, from + 1_000).map(({ name }) => sql`(${name}, ${nameWithoutNumber(name)})`);
		await sql`insert into "seriesOfBuild" (build, series) values ${sql.join(values)}`.execute(db);
	}
}

/** A test keeps its id for the repository of its newest result. Results of others become those of further tests. */
function splitTests(dialect: DialectName): string[] {
	const repository = `coalesce(nullif(coalesce(${labelOf(dialect, "job", "repository")}, ${labelOf(dialect, "recording", "repository")}), ''),
		"seriesOfBuild".series, '')`;
	return [
		`create temporary table "repositoryOfResults" as
			select result."testId", ${repository} as repository, result."jobId", result."recordingId",
				min(result."startedAt") as "firstAt", max(result."startedAt") as "lastAt"
			from "testResult" as result
			left join job on job.id = result."jobId" left join recording on recording.id = result."recordingId"
			left join "seriesOfBuild" on "seriesOfBuild".build = result.build
			group by result."testId", 2, result."jobId", result."recordingId"`,
		`create temporary table "repositoryOfTest" as
			select "testId", repository, min("firstAt") as "firstAt", max("lastAt") as "lastAt",
				row_number() over (partition by "testId" order by max("lastAt") desc, repository) as place
			from "repositoryOfResults" group by "testId", repository`,
		`update test set repository = newest.repository, "firstAt" = newest."firstAt" from "repositoryOfTest" as newest
			where newest."testId" = test.id and newest.place = 1`,
		`insert into test ("organizationId", repository, project, name, suite, file, line, "firstAt", "lastAt")
			select "organizationId", other.repository, project, name, suite, file, line, other."firstAt", other."lastAt"
			from "repositoryOfTest" as other join test on test.id = other."testId" where other.place > 1`,
		`create temporary table "movedResults" as
			select result.id, split.id as "testId" from "testResult" as result
			join "repositoryOfTest" as other on other."testId" = result."testId" and other.place > 1
			join "repositoryOfResults" as own on own."testId" = result."testId" and own.repository = other.repository
				and own."jobId" is not distinct from result."jobId"
				and own."recordingId" is not distinct from result."recordingId"
			join test as old on old.id = result."testId"
			join test as split on split."organizationId" = old."organizationId" and split.name = old.name
				and split.project = old.project and split.repository = other.repository`,
		`insert into "failureTriage" ("organizationId", kind, key, "assigneeUserId", "mutedUntil", "muteReason", "mutedBy")
			select triage."organizationId", 'test', cast(split.id as text), "assigneeUserId", "mutedUntil", "muteReason", "mutedBy"
			from "failureTriage" as triage join test as old on triage.key = cast(old.id as text)
			join "repositoryOfTest" as other on other."testId" = old.id and other.place > 1
			join test as split on split."organizationId" = old."organizationId" and split.name = old.name
				and split.project = old.project and split.repository = other.repository
			where triage.kind = 'test'`,
		`update "testResult" set "testId" = moved."testId" from "movedResults" as moved where moved.id = "testResult".id`,
		...["seriesOfBuild", "repositoryOfResults", "repositoryOfTest", "movedResults"].map(
			(name) => `drop table "${name}"`,
		),
	];
}
