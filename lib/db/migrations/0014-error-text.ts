/** The error lines that searches find jobs and recordings by. Described in schema.ts. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

export async function addErrorText(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = sql.raw(dialect === "postgres" ? "bigint" : "integer");
	await sql`create table "errorText" (
		"jobId" ${int} primary key references job (id) on delete cascade,
		lines integer not null,
		named text not null,
		text text not null
	)`.execute(db);
	// PostgreSQL's index: postgres-search.ts.
	const statements = [...triggersOf(dialect), ...(dialect === "sqlite" ? searchIndex() : [])];
	for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Errors of a deleted recording are not found, and names are those of the job. */
function triggersOf(dialect: DialectName): string[] {
	const trigger = (name: string, after: string, body: string): string[] =>
		dialect === "sqlite"
			? [`create trigger ${name} after ${after} begin ${body} end`]
			: [
					`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
					`create trigger ${name} after ${after} for each row execute function ${name}()`,
				];
	const newLine = dialect === "sqlite" ? "char(10)" : "chr(10)";
	return [
		...trigger("error_text_of_track", "delete on track", `delete from "errorText" where "jobId" = old."jobId";`),
		...trigger(
			"error_text_of_job",
			'update of name, "searchText" on job',
			`update "errorText" set named = lower(new.name || coalesce(${newLine} || new."searchText", '')) where "jobId" = new.id;`,
		),
	];
}

function searchIndex(): string[] {
	const search = '"errorTextSearch"';
	const add = `insert into ${search} (rowid, named, text) values (new."jobId", new.named, new.text);`;
	const remove = `insert into ${search} (${search}, rowid, named, text) values ('delete', old."jobId", old.named, old.text);`;
	const trigger = (name: string, after: string, body: string) =>
		`create trigger error_text_${name} after ${after} on "errorText" begin ${body} end`;
	return [
		`create virtual table ${search} using fts5(named, text, content = 'errorText', content_rowid = 'jobId',
			tokenize = 'trigram', columnsize = 0)`,
		trigger("added", "insert", add),
		trigger("removed", "delete", remove),
		trigger("changed", "update of named, text", `${remove} ${add}`),
	];
}
