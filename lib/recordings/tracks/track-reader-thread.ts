/** The thread in which tracks are read (track-reader.ts): answers one question after the other. */
import { parentPort } from "node:worker_threads";
import { findLines, type LineQuery, type NumberedLine, type StoredBlock } from "./find-lines.ts";

export type ThreadQuestion = { id: number; query: LineQuery; blocks: readonly StoredBlock[] };
export type ThreadAnswer = { id: number } & ({ lines: NumberedLine[] } | { error: string });

parentPort?.on("message", ({ id, query, blocks }: ThreadQuestion) => {
	parentPort?.postMessage(answer(id, query, blocks));
});

function answer(id: number, query: LineQuery, blocks: readonly StoredBlock[]): ThreadAnswer {
	try {
		return { id, lines: findLines(query, blocks) };
	} catch (error) {
		return { id, error: String(error) };
	}
}
