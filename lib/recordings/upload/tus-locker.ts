/**
 * Locks an upload for one request at a time. A new request asks the holder to release it, because a silently broken
 * connection would hold it otherwise. (The library's own lock polls while it waits.)
 */
import type { Lock, Locker, RequestRelease } from "@tus/server";

const WAIT_MS = 10_000;

interface Waiter {
	requestRelease: RequestRelease;
	take: () => void;
}

interface Queue {
	holder: RequestRelease;
	waiting: Waiter[];
}

export class UploadLocks implements Locker {
	#queues = new Map<string, Queue>();

	newLock(id: string): Lock {
		return {
			lock: (signal, requestRelease) => this.#lock(id, signal, requestRelease),
			unlock: async () => this.#unlock(id),
		};
	}

	async #lock(id: string, signal: AbortSignal, requestRelease: RequestRelease): Promise<void> {
		const queue = this.#queues.get(id);
		if (queue === undefined) {
			this.#queues.set(id, { holder: requestRelease, waiting: [] });
			return;
		}
		const turn = this.#wait(queue, signal, requestRelease);
		await queue.holder();
		await turn;
	}

	#wait(queue: Queue, signal: AbortSignal, requestRelease: RequestRelease): Promise<void> {
		return new Promise((resolve, reject) => {
			const waiter: Waiter = {
				requestRelease,
				take: () => {
					stop();
					resolve();
				},
			};
			const fail = (error: { status_code: number; body: string }) => {
				stop();
				queue.waiting.splice(queue.waiting.indexOf(waiter), 1);
				reject(error);
			};
			const onAbort = () => fail({ status_code: 400, body: "The request was aborted.\n" });
			const timer = setTimeout(
				() => fail({ status_code: 503, body: "The upload is busy with another request. Try again.\n" }),
				WAIT_MS,
			);
			const stop = () => {
				clearTimeout(timer);
				signal.removeEventListener("abort", onAbort);
			};
			signal.addEventListener("abort", onAbort);
			queue.waiting.push(waiter);
		});
	}

	#unlock(id: string): void {
		const queue = this.#queues.get(id);
		const next = queue?.waiting.shift();
		if (queue === undefined || next === undefined) {
			this.#queues.delete(id);
			return;
		}
		queue.holder = next.requestRelease;
		next.take();
		if (queue.waiting.length > 0) void next.requestRelease();
	}
}
