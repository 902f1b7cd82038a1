/** An API client that retries calls while the dashboard does not respond. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreateJobBody, Job, JobEvent } from "@tapedeck/contract/job.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Retention } from "@tapedeck/contract/retention.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { cookieOf } from "#test/api-people.ts";

const AGAIN_MS = 250;
const CALL_MS = 5_000;

export class Client {
	readonly #url: string;
	readonly #apiKey: string;
	readonly #over: AbortSignal;

	/** @param over aborts all retries. */
	constructor(url: string, apiKey: string, over: AbortSignal) {
		this.#url = url;
		this.#apiKey = apiKey;
		this.#over = over;
	}

	/** Uses one key for all attempts, so that only one job is created although responses are lost. */
	createJob(body: CreateJobBody): Promise<Job> {
		return this.#retrying("POST", "/v1/jobs", body, { "idempotency-key": randomUUID() });
	}
	cancelJob(id: number): Promise<Job> {
		return this.#retrying("POST", `/v1/jobs/${id}/cancel`);
	}
	readJob(id: number): Promise<Job> {
		return this.#retrying("GET", `/v1/jobs/${id}`);
	}
	events(id: number): Promise<JobEvent[]> {
		return this.#all(`/v1/jobs/${id}/events`);
	}
	async runners(): Promise<Runner[]> {
		return (await this.#retrying<{ data: Runner[] }>("GET", "/v1/runners")).data;
	}
	jobs(): Promise<Job[]> {
		return this.#all("/v1/jobs");
	}
	recordings(): Promise<Recording[]> {
		return this.#all("/v1/recordings");
	}
	/** Any other call of the API. */
	call<T>(method: string, path: string, body?: object): Promise<T> {
		return this.#retrying(method, path, body);
	}
	/** Moves a recording to the trash, unless its job has not ended. */
	async deleteRecording(id: number): Promise<void> {
		// 404: it was deleted, and the response was lost. 409: its runner has not reported its end yet.
		await this.#retrying("DELETE", `/v1/recordings/${id}`, undefined, {}, [404, 409]);
	}
	restoreRecording(id: number): Promise<Recording> {
		return this.#retrying("POST", `/v1/deleted-recordings/${id}/restore`);
	}
	retention(): Promise<Retention> {
		return this.#retrying("GET", "/v1/retention");
	}
	/**
	 * Keeps every recording of the last 30 days: on a disk that is filled on purpose, retention would delete the oldest.
	 */
	async keepEverything(owner: { email: string; password: string }): Promise<void> {
		const origin = { origin: this.#url, "content-type": "application/json" };
		const signIn = await fetch(`${this.#url}/api/auth/sign-in/email`, {
			method: "POST",
			headers: origin,
			body: JSON.stringify(owner),
		});
		const kept = await fetch(`${this.#url}/v1/retention`, {
			method: "PUT",
			headers: { ...origin, cookie: cookieOf(signIn) },
			body: JSON.stringify({ maxAgeDays: 30, maxDiskPercent: null, maxBytes: null }),
		});
		if (!kept.ok) throw new Error(`The retention was not set: ${kept.status} ${await kept.text()}`);
	}
	/** Whether the dashboard guards a reserve of its disk. */
	async guardsDisk(): Promise<boolean> {
		const answer = await fetch(`${this.#url}/v1/storage`, { headers: this.#headers({}), signal: this.#over });
		await answer.body?.cancel();
		return answer.ok;
	}
	async video(recordingId: number): Promise<Buffer> {
		const path = `/v1/recordings/${recordingId}/video`;
		const answer = await fetch(this.#url + path, { headers: this.#headers({}), signal: this.#over });
		if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
		return Buffer.from(await answer.arrayBuffer());
	}

	#headers(more: Record<string, string>): Record<string, string> {
		return { authorization: `Bearer ${this.#apiKey}`, ...more };
	}

	async #all<T>(path: string): Promise<T[]> {
		const rows: T[] = [];
		let cursor: string | null = null;
		do {
			const page: { data: T[]; nextCursor: string | null } = await this.#retrying(
				"GET",
				`${path}?limit=100${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
			);
			rows.push(...page.data);
			cursor = page.nextCursor;
		} while (cursor !== null);
		return rows;
	}

	/**
	 * @param expected statuses that are as good as a success.
	 * @throws with the answer's text when a retry would not help.
	 */
	async #retrying<T>(
		method: string,
		path: string,
		body?: unknown,
		more: Record<string, string> = {},
		expected: readonly number[] = [],
	): Promise<T> {
		for (;;) {
			this.#over.throwIfAborted();
			const answer = await this.#once(method, path, body, more);
			if (answer !== null && answer.status < 500 && answer.status !== 429) {
				if (answer.status >= 300 && !expected.includes(answer.status))
					throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
				return (answer.text === "" ? null : JSON.parse(answer.text)) as T;
			}
			await sleep(AGAIN_MS, undefined, { signal: this.#over });
		}
	}

	async #once(
		method: string,
		path: string,
		body: unknown,
		more: Record<string, string>,
	): Promise<{ status: number; text: string } | null> {
		try {
			const answer = await fetch(this.#url + path, {
				method,
				headers: this.#headers({ ...(body === undefined ? {} : { "content-type": "application/json" }), ...more }),
				body: body === undefined ? undefined : JSON.stringify(body),
				signal: AbortSignal.any([this.#over, AbortSignal.timeout(CALL_MS)]),
			});
			return { status: answer.status, text: await answer.text() };
		} catch {
			this.#over.throwIfAborted();
			return null;
		}
	}
}
