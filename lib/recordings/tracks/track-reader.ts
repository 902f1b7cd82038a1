/**
 * Reads lines of tracks in a thread of their own: a search of a track of 64 MiB parses all of it, which would hold up every
 * other call for a second.
 */
import { Worker } from "node:worker_threads";
import { type Context, turnTakerOf } from "#lib/core/context.ts";
import { readsBusy } from "#lib/db/database-errors.ts";
import { FairTurns } from "#lib/db/fair-turns.ts";
import type { LineQuery, NumberedLine, StoredBlock } from "./find-lines.ts";
import type { ThreadAnswer, ThreadQuestion } from "./track-reader-thread.ts";

/** Each caller's parts of a track take turns in the thread with those of the others. */
const LIMITS = { all: 8, organization: 4, caller: 2, waiting: 100, waitMs: 10_000 };

export type FindLines = (query: LineQuery, blocks: readonly StoredBlock[]) => Promise<NumberedLine[]>;

/** One per process. */
export class TrackReader {
	readonly #turns = new FairTurns(LIMITS, readsBusy);
	readonly #questions = new Map<number, PromiseWithResolvers<NumberedLine[]>>();
	#thread: Worker | null = null;
	#asked = 0;

	/**
	 * Runs `work` when it is the caller's turn.
	 * @param work gets a function that finds lines in blocks.
	 * @throws DatabaseError if the turn does not come in time.
	 */
	async take<T>(caller: Pick<Context, "actor" | "address">, work: (find: FindLines) => Promise<T>): Promise<T> {
		const end = await this.#turns.take(turnTakerOf(caller));
		return work((query, blocks) => this.#find(query, blocks)).finally(end);
	}

	async close(): Promise<void> {
		await this.#thread?.terminate();
	}

	#find(query: LineQuery, blocks: readonly StoredBlock[]): Promise<NumberedLine[]> {
		this.#asked += 1;
		// Copies, because a driver may return parts of its own buffers.
		const own = blocks.map(({ firstLine, content }) => ({ firstLine, content: new Uint8Array(content) }));
		const question: ThreadQuestion = { id: this.#asked, query, blocks: own };
		const answer = Promise.withResolvers<NumberedLine[]>();
		this.#questions.set(question.id, answer);
		this.#thread ??= this.#start();
		this.#thread.postMessage(
			question,
			own.map(({ content }) => content.buffer),
		);
		return answer.promise;
	}

	#start(): Worker {
		const thread = new Worker(new URL("./track-reader-thread.ts", import.meta.url), { execArgv: [] });
		thread.unref();
		thread.on("message", (answer: ThreadAnswer) => {
			const question = this.#questions.get(answer.id);
			this.#questions.delete(answer.id);
			if ("lines" in answer) question?.resolve(answer.lines);
			else question?.reject(new Error(answer.error));
		});
		const lost = (error?: Error) => {
			if (this.#thread !== thread) return;
			this.#thread = null;
			for (const { reject } of this.#questions.values()) {
				reject(error ?? new Error("The thread that reads tracks has ended."));
			}
			this.#questions.clear();
		};
		thread.on("error", lost);
		thread.on("exit", () => lost());
		return thread;
	}
}
