/**
 * `npm run dashboard -- move-database`: copies a SQLite database into an empty PostgreSQL database, in one transaction.
 * Both have the tables of this version. The SQLite file is only read.
 */
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "./schema.ts";

type Db = Kysely<Tables> | Transaction<Tables>;

const ROWS_AT_ONCE = 2_000;
const REPORT_EVERY_MS = 5_000;

/** Tables with the state of running processes, which is of no use to others. */
const NOT_MOVED = new Set<string>([
	...["claim", "dashboardNode", "dashboardProcess", "displayPicture", "rateLimit", "deviceSignIn"],
	...["kysely_migration", "kysely_migration_lock"],
]);

interface Column {
	name: string;
	/** PostgreSQL's name of its type, such as `int8`. */
	type: string;
	isIdentity: boolean;
}

interface Table {
	name: string;
	columns: Column[];
	/** Has triggers that keep counts and labels, which are copied as they are. */
	hasTriggers: boolean;
}

/**
 * @param file the SQLite database.
 * @param db the PostgreSQL database, on a connection that is not a pooler's.
 * @param report gets a line now and then.
 * @returns the number of rows. Nothing is in the database when it throws, or when it is killed.
 * @throws an Error with the remedy if the database is not empty, or a row does not arrive.
 */
export async function moveToPostgres(
	file: string,
	db: Kysely<Tables>,
	report: (line: string) => void = () => undefined,
): Promise<number> {
	const source = new DatabaseSync(file, { readOnly: true });
	try {
		source.exec("BEGIN");
		await assertEmpty(db);
		const tables = await tablesOf(db);
		const rows = await db.transaction().execute(async (trx) => {
			let total = 0;
			for (const table of tables) {
				total += await copyTable(source, trx, table, report).catch((cause: Error) => {
					throw new Error(`Nothing was moved: the table "${table.name}" could not be copied (${cause.message}).`, {
						cause,
					});
				});
			}
			return total;
		});
		await sql`analyze`.execute(db);
		return rows;
	} finally {
		source.close();
	}
}

async function assertEmpty(db: Db): Promise<void> {
	for (const table of ["user", "organization", "job"] as const) {
		if ((await db.selectFrom(table).select("id").limit(1).execute()).length === 0) continue;
		throw new Error(
			`The PostgreSQL database is not empty: its table "${table}" has rows. Create a new database, and set TAPEDECK_DATABASE_URL to it.`,
		);
	}
}

/** The tables in an order in which every row is inserted after the rows that it refers to. */
async function tablesOf(db: Db): Promise<Table[]> {
	const { rows: columns } = await sql<Column & { table: string }>`
		select c.relname as "table", a.attname as name, t.typname as type, a.attidentity <> '' as "isIdentity"
		from pg_class c
		join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
		join pg_type t on t.oid = a.atttypid
		where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
		order by c.relname, a.attnum`.execute(db);
	const { rows: references } = await sql<{ from: string; to: string }>`
		select f.relname as "from", t.relname as "to" from pg_constraint
		join pg_class f on f.oid = conrelid join pg_class t on t.oid = confrelid
		where contype = 'f' and f.relnamespace = current_schema()::regnamespace`.execute(db);
	const { rows: triggers } = await sql<{ name: string }>`
		select distinct relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
		where not tgisinternal and relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db);
	const waiting = new Map<string, Table>();
	for (const { table, ...column } of columns) {
		if (NOT_MOVED.has(table)) continue;
		const known = waiting.get(table);
		if (known !== undefined) known.columns.push(column);
		else {
			waiting.set(table, { name: table, columns: [column], hasTriggers: triggers.some(({ name }) => name === table) });
		}
	}
	const ordered: Table[] = [];
	while (waiting.size > 0) {
		const before = ordered.length;
		for (const table of [...waiting.values()]) {
			if (references.some(({ from, to }) => from === table.name && to !== from && waiting.has(to))) continue;
			ordered.push(table);
			waiting.delete(table.name);
		}
		if (ordered.length === before) throw new Error(`Tables refer to each other: ${[...waiting.keys()].join(", ")}`);
	}
	return ordered;
}

async function copyTable(
	source: DatabaseSync,
	db: Transaction<Tables>,
	table: Table,
	report: (line: string) => void,
): Promise<number> {
	const name = sql.table(table.name);
	const from = quoted(table.name);
	const { count: total } = source.prepare(`select count(*) as count from ${from}`).get() as { count: number };
	if (table.hasTriggers) await sql`alter table ${name} disable trigger user`.execute(db);
	// A new database has initial rows.
	const { rows: initial } = await sql`select 1 from ${name} limit 1`.execute(db);
	if (initial.length > 0) await sql`delete from ${name}`.execute(db);
	const names = table.columns.map((column) => quoted(column.name)).join(", ");
	const select = source.prepare(`select ${names} from ${from}`);
	select.setReturnArrays(true);
	let copied = 0;
	let reportedAt = performance.now();
	let batch: SQLOutputValue[][] = [];
	const flush = async () => {
		await insert(db, table, batch);
		copied += batch.length;
		batch = [];
		if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
		reportedAt = performance.now();
		report(`${table.name}: ${copied} of ${total} rows`);
	};
	for (const row of select.iterate() as Iterable<unknown>) {
		batch.push(row as SQLOutputValue[]);
		if (batch.length >= ROWS_AT_ONCE) await flush();
	}
	if (batch.length > 0) await flush();
	const { rows: arrived } = await sql<{ count: number }>`select count(*) as count from ${name}`.execute(db);
	if (Number(arrived[0]?.count) !== total) {
		throw new Error(`of ${total} rows, ${arrived[0]?.count} arrived; check that nothing else writes to the database`);
	}
	for (const column of table.columns) {
		if (column.isIdentity) await continueIds(source, db, table.name, column.name);
	}
	if (table.hasTriggers) await sql`alter table ${name} enable trigger user`.execute(db);
	return copied;
}

async function insert(db: Db, { name, columns }: Table, rows: readonly SQLOutputValue[][]): Promise<void> {
	const arrays = columns.map(({ type }, at) => {
		const values = rows.map((row) => valueFor(type, row[at] ?? null));
		return sql`${values}::${sql.raw(`${type}[]`)}`;
	});
	await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column.name)))})
		select * from unnest(${sql.join(arrays)})`.execute(db);
}

/** SQLite has no booleans and dates. */
function valueFor(type: string, value: SQLOutputValue): unknown {
	if (value === null) return null;
	if (type === "bool") return Number(value) !== 0;
	if (type === "timestamptz" && typeof value === "number") return new Date(value).toISOString();
	if (type === "bytea") return Buffer.from(value as Uint8Array);
	return value;
}

/** Ids are never used again, not even those of deleted rows. */
async function continueIds(source: DatabaseSync, db: Db, table: string, column: string): Promise<void> {
	const sequence = source.prepare("select seq from sqlite_sequence where name = ?").get(table);
	const last = Math.max(Number(sequence?.seq ?? 0), maxId(source, table, column));
	if (last === 0) return;
	await sql`select setval(pg_get_serial_sequence(${quoted(table)}, ${column}), ${last}::bigint)`.execute(db);
}

function maxId(source: DatabaseSync, table: string, column: string): number {
	return Number(source.prepare(`select max(${quoted(column)}) as max from ${quoted(table)}`).get()?.max ?? 0);
}

const quoted = (name: string): string => `"${name}"`;
