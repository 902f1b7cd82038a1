/** The thread of a read-only connection (sqlite-reader): answers one query after the other. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export type ReaderQuery = { sql: string; parameters: readonly unknown[] };
export type ReaderAnswer =
	| { rows: unknown[] }
	| { error: { message: string; errcode: number | undefined } }
	| { timedOut: true };

const MAX_CACHED_STATEMENTS = 200;

const database = new DatabaseSync(workerData as string, { readOnly: true, timeout: 1_000 });
database.exec("PRAGMA cache_size = -32000");
const statements = new Map<string, StatementSync>();

parentPort?.on("message", ({ sql, parameters }: ReaderQuery) => {
	parentPort?.postMessage(answer(sql, parameters));
});

function answer(sql: string, parameters: readonly unknown[]): ReaderAnswer {
	try {
		let statement = statements.get(sql);
		if (statement === undefined) {
			if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear();
			statement = database.prepare(sql);
			statements.set(sql, statement);
		}
		return { rows: statement.all(...(parameters as string[])) };
	} catch (error) {
		const { message, errcode } = error as { message: string; errcode?: number };
		return { error: { message, errcode } };
	}
}
