/** Reads the database's plans for the statements of an operation. */
import { CompiledQuery, type Kysely, type KyselyPlugin, type RootOperationNode } from "kysely";
import { dialectOf } from "#lib/db/dialect.ts";
import type { Tables } from "#lib/db/schema.ts";

/** @returns the lines of the plans of every statement that `act` runs */
export async function plansOf(db: Kysely<Tables>, act: (db: Kysely<Tables>) => Promise<unknown>): Promise<string[]> {
	const nodes: RootOperationNode[] = [];
	const note: KyselyPlugin = {
		transformQuery: ({ node }) => {
			nodes.push(node);
			return node;
		},
		transformResult: async ({ result }) => result,
	};
	await act(db.withPlugin(note));
	const explain = dialectOf(db) === "sqlite" ? "explain query plan" : "explain";
	const lines: string[] = [];
	for (const node of nodes) {
		const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: "plan" });
		const { rows } = await db.executeQuery<object>(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]));
		// SQLite's rows also have numbers for the structure of the plan, which are left out.
		lines.push(...rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === "string"));
	}
	return lines;
}
