/** Queries that are built once: on a hot path, building a query costs more than running it. */
import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { Tables } from "./schema.ts";

type Database = Kysely<Tables>;

class Parameter {
	readonly name: string;
	constructor(name: string) {
		this.name = name;
	}
}

/**
 * @param build builds the query. Its parameters stand for values: it may only pass them on to the query.
 * @returns a function that runs it on a database or transaction with given values.
 */
export function prepared<P extends object, O>(
	build: (db: Database, parameters: P) => Compilable<O>,
): (db: Database, values: P) => Promise<O[]> {
	// Keyed by adapter: each dialect has its own, and transactions share that of their database.
	const compiled = new WeakMap<object, CompiledQuery<O>>();
	const placeholders = new Proxy({}, { get: (_, name) => new Parameter(String(name)) }) as P;
	return async (db, values) => {
		const { adapter } = db.getExecutor();
		let query = compiled.get(adapter);
		if (query === undefined) {
			query = build(db, placeholders).compile();
			compiled.set(adapter, query);
		}
		const parameters = query.parameters.map((value) =>
			value instanceof Parameter ? (values as Record<string, unknown>)[value.name] : value,
		);
		return (await db.executeQuery<O>({ ...query, parameters })).rows;
	};
}
