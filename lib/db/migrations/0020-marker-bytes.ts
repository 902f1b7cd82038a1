/** Markers and triage entries count towards the storage quota of their organization, as test results and tracks do. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

/** Bytes of a row in addition to its texts, with its part of the indexes. */
const ROW_BYTES = 100;

export async function countMarkerBytes(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const bytesOf = (text: string) => (dialect === "sqlite" ? `length(cast(${text} as blob))` : `octet_length(${text})`);
	const sumOf = (columns: readonly string[], row = "") =>
		[`${ROW_BYTES}`, ...columns.map((column) => `coalesce(${bytesOf(`${row}"${column}"`)}, 0)`)].join(" + ");
	for (const [table, columns] of [
		["marker", ["label", "message"]],
		["failureTriage", ["key", "muteReason", "mutedBy"]],
	] as const) {
		const counted = (row: "new" | "old", bytes: string) => `
			insert into "organizationUse" ("organizationId", bytes) values (${row}."organizationId", ${bytes})
			on conflict ("organizationId") do update set bytes = "organizationUse".bytes + excluded.bytes;`;
		const [added, removed] = [sumOf(columns, "new."), sumOf(columns, "old.")];
		const name = table === "marker" ? "marker" : "failure_triage";
		const statements = [
			...triggerOf(dialect, `${name}_added`, `insert on "${table}"`, counted("new", added)),
			...triggerOf(dialect, `${name}_removed`, `delete on "${table}"`, counted("old", `-(${removed})`)),
			...triggerOf(dialect, `${name}_changed`, `update on "${table}"`, counted("new", `${added} - (${removed})`)),
			// Those that are there already. SQLite cannot parse "on conflict" after a select without "where".
			`insert into "organizationUse" ("organizationId", bytes)
				select "organizationId", sum(${sumOf(columns)}) from "${table}" where 1 = 1 group by "organizationId"
				on conflict ("organizationId") do update set bytes = "organizationUse".bytes + excluded.bytes`,
		];
		for (const statement of statements) await sql.raw(statement).execute(db);
	}
}

const triggerOf = (dialect: DialectName, name: string, after: string, body: string): string[] =>
	dialect === "sqlite"
		? [`create trigger ${name} after ${after} begin ${body} end`]
		: [
				`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
				`create trigger ${name} after ${after} for each row execute function ${name}()`,
			];
