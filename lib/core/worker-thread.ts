/** A thread for work that would hold up every other call. It answers questions one after another. */
import { basename } from "node:path";
import { parentPort, type Transferable, Worker } from "node:worker_threads";

interface Numbered<Question> {
	id: number;
	question: Question;
}

type Answered<Answer> = { id: number } & ({ answer: Answer } | { error: string });

export interface ThreadOptions {
	/** Ends the thread, and frees its memory, when nothing was asked for this long; never if omitted. */
	idleMs?: number;
}

/** Starts its thread at the first question, and again at the first one after the thread has ended. */
export class WorkerThread<Question, Answer> {
	readonly #file: URL;
	readonly #idleMs: number | undefined;
	readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
	#thread: Worker | null = null;
	#idle: NodeJS.Timeout | undefined;
	#asked = 0;

	/** @param file a module that calls `answerQuestions`. */
	constructor(file: URL, { idleMs }: ThreadOptions = {}) {
		this.#file = file;
		this.#idleMs = idleMs;
	}

	/** @param moved parts of the question that the caller no longer needs: they are not copied. */
	ask(question: Question, moved: readonly Transferable[] = []): Promise<Answer> {
		this.#asked += 1;
		const answer = Promise.withResolvers<Answer>();
		this.#waiting.set(this.#asked, answer);
		clearTimeout(this.#idle);
		this.#thread ??= this.#start();
		// A command that waits for the answer must not end before.
		this.#thread.ref();
		this.#thread.postMessage({ id: this.#asked, question } satisfies Numbered<Question>, moved);
		return answer.promise;
	}

	async close(): Promise<void> {
		clearTimeout(this.#idle);
		await this.#thread?.terminate();
	}

	#start(): Worker {
		const thread = new Worker(this.#file, { execArgv: [] });
		thread.on("message", (message: Answered<Answer>) => {
			const waiting = this.#waiting.get(message.id);
			this.#waiting.delete(message.id);
			if ("answer" in message) waiting?.resolve(message.answer);
			else waiting?.reject(new Error(message.error));
			if (this.#waiting.size === 0) this.#rest(thread);
		});
		const lost = (error?: Error) => {
			if (this.#thread !== thread) return;
			this.#thread = null;
			const name = basename(this.#file.pathname);
			for (const { reject } of this.#waiting.values()) reject(error ?? new Error(`The thread of ${name} has ended.`));
			this.#waiting.clear();
		};
		thread.on("error", lost);
		thread.on("exit", () => lost());
		return thread;
	}

	#rest(thread: Worker): void {
		thread.unref();
		if (this.#idleMs === undefined) return;
		this.#idle = setTimeout(() => {
			this.#thread = null;
			void thread.terminate();
		}, this.#idleMs).unref();
	}
}

/** Answers the questions of a `WorkerThread`. Call in the thread's module. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
	parentPort?.on("message", ({ id, question }: Numbered<Question>) => {
		parentPort?.postMessage(answered(id, () => answer(question)));
	});
}

function answered<Answer>(id: number, answer: () => Answer): Answered<Answer> {
	try {
		return { id, answer: answer() };
	} catch (error) {
		return { id, error: String(error) };
	}
}
