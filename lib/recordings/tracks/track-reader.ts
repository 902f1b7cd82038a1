/**
 * Reads lines of tracks in a thread of their own: a search of a track of 64 MiB parses all of it, which would hold up every
 * other call for a second.
 */
import { type Context, turnTakerOf } from "#lib/core/context.ts";
import { WorkerThread } from "#lib/core/worker-thread.ts";
import { readsBusy } from "#lib/db/database-errors.ts";
import { FairTurns } from "#lib/db/fair-turns.ts";
import type { LineQuery, NumberedLine, StoredBlock } from "./find-lines.ts";
import type { TrackQuestion } from "./track-reader-thread.ts";

/** Each caller's parts of a track take turns in the thread with those of the others. */
const LIMITS = { all: 8, organization: 4, caller: 2, waiting: 100, waitMs: 10_000 };

export type FindLines = (query: LineQuery, blocks: readonly StoredBlock[]) => Promise<NumberedLine[]>;

/** One per process. */
export class TrackReader {
	readonly #turns = new FairTurns(LIMITS, readsBusy);
	readonly #thread = new WorkerThread<TrackQuestion, NumberedLine[]>(
		new URL("./track-reader-thread.ts", import.meta.url),
	);

	/**
	 * Runs `work` when it is the caller's turn.
	 * @param work gets a function that finds lines in blocks.
	 * @throws DatabaseError if the turn does not come in time.
	 */
	async take<T>(caller: Pick<Context, "actor" | "address">, work: (find: FindLines) => Promise<T>): Promise<T> {
		const end = await this.#turns.take(turnTakerOf(caller));
		return work((query, blocks) => this.#find(query, blocks)).finally(end);
	}

	close(): Promise<void> {
		return this.#thread.close();
	}

	#find(query: LineQuery, blocks: readonly StoredBlock[]): Promise<NumberedLine[]> {
		// Copies, because a driver may return parts of its own buffers.
		const own = blocks.map(({ firstLine, content }) => ({ firstLine, content: new Uint8Array(content) }));
		return this.#thread.ask(
			{ query, blocks: own },
			own.map(({ content }) => content.buffer),
		);
	}
}
