/** Calls to the dashboard, by the protocol of #lib/contract/runner-protocol. Knows the session; decides nothing. */
import * as z from "zod";
import type { Display } from "#lib/contract/runner.ts";
import {
	type AutoJobBody,
	type ReceivedAutoJobAnswer,
	type ReceivedReportsAnswer,
	type ReceivedSyncAnswer,
	type ReportsBody,
	receivedAutoJobAnswerSchema,
	receivedReportsAnswerSchema,
	receivedSyncAnswerSchema,
	SESSION_HEADER,
	type SignInAnswer,
	type SyncBody,
	signInAnswerSchema,
} from "#lib/contract/runner-protocol.ts";
import { type HttpAnswer, HttpPool } from "./http.ts";
import { wordsOf } from "../log.ts";

const CALL_TIMEOUT_MS = 6_000;
/** Slack that a held sync gets beyond the time it is held for: a stalled connection is noticed within 10 s. */
const SYNC_SLACK_MS = 4_000;

/** A call that did not bring what it should. `status` 0: nobody answered. */
export class CallFailedError extends Error {
	override name = "CallFailedError";
	readonly status: number;
	/** The problem document's code, if the answer was one. */
	readonly code: string | null;
	/** The answer's own sentence, if it was a problem document. */
	readonly detail: string | null;

	constructor(
		words: string,
		status: number,
		code: string | null = null,
		detail: string | null = null,
		cause?: unknown,
	) {
		super(words, { cause });
		this.status = status;
		this.code = code;
		this.detail = detail;
	}

	/** Not reached, busy or broken: the same call may well work later. */
	get passing(): boolean {
		// 501 and 505 say what a server is, not how it fares: no proxy or dashboard answers them in passing.
		if (this.status === 501 || this.status === 505) return false;
		return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
	}
}

const problemSchema = z.object({ code: z.string(), detail: z.string() });

function problemOf(answer: HttpAnswer): z.infer<typeof problemSchema> | null {
	if (!answer.headers["content-type"]?.includes("json")) return null;
	try {
		return problemSchema.safeParse(JSON.parse(answer.text)).data ?? null;
	} catch {
		return null;
	}
}

export interface DashboardAddress {
	url: string;
	token: string;
}

export class DashboardClient {
	readonly url: string;
	readonly #token: string;
	readonly #pool = new HttpPool(64);
	/** The session of the last sign-in; null before the first. */
	sessionId: string | null = null;

	constructor(address: DashboardAddress) {
		this.url = address.url;
		this.#token = address.token;
	}

	/** @throws CallFailedError; `status` 200 when something else than Tapedeck answered. */
	async signIn(who: { name: string; version: string; instanceId: string; displays: Display[] }): Promise<SignInAnswer> {
		const answer = await this.#post("sign-in", who, signInAnswerSchema);
		this.sessionId = answer.sessionId;
		return answer;
	}

	/** Holds for up to `waitSeconds` when there is nothing to say. */
	sync(body: SyncBody, signal: AbortSignal): Promise<ReceivedSyncAnswer> {
		return this.#post("sync", body, receivedSyncAnswerSchema, body.waitSeconds * 1_000 + SYNC_SLACK_MS, signal);
	}

	reports(body: ReportsBody): Promise<ReceivedReportsAnswer> {
		return this.#post("reports", body, receivedReportsAnswerSchema);
	}

	createAutoJob(body: AutoJobBody): Promise<ReceivedAutoJobAnswer> {
		return this.#post("jobs", body, receivedAutoJobAnswerSchema);
	}

	/** Best effort: a dashboard that does not hear it sees the lease run out. */
	async signOut(): Promise<void> {
		if (this.sessionId === null) return;
		await this.send({
			method: "POST",
			path: "/v1/runner/sign-out",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ sessionId: this.sessionId }),
			timeoutMs: 1_000,
		}).catch(() => undefined);
	}

	/** A call with the runner's credentials; every status is an answer. @throws CallFailedError when nobody answers. */
	async send(request: {
		method: string;
		path: string;
		headers?: Record<string, string>;
		body?: Buffer | string;
		timeoutMs?: number;
		idleMs?: number;
		signal?: AbortSignal;
	}): Promise<HttpAnswer> {
		const { path, headers, ...rest } = request;
		const session: Record<string, string> = this.sessionId === null ? {} : { [SESSION_HEADER]: this.sessionId };
		try {
			return await this.#pool.call({
				...rest,
				url: this.url + path,
				headers: { accept: "application/json", authorization: `Bearer ${this.#token}`, ...session, ...headers },
			});
		} catch (error) {
			throw new CallFailedError(wordsOf(error), 0, null, null, error);
		}
	}

	close(): void {
		this.#pool.close();
	}

	async #post<S extends z.ZodType>(
		verb: string,
		body: unknown,
		answerSchema: S,
		timeoutMs = CALL_TIMEOUT_MS,
		signal?: AbortSignal,
	): Promise<z.output<S>> {
		const answer = await this.send({
			method: "POST",
			path: `/v1/runner/${verb}`,
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
			timeoutMs,
			signal,
		});
		if (answer.status < 200 || answer.status > 299) {
			const problem = problemOf(answer);
			throw new CallFailedError(
				problem?.detail ?? `it answered ${answer.status}`,
				answer.status,
				problem?.code ?? null,
				problem?.detail ?? null,
			);
		}
		try {
			return answerSchema.parse(JSON.parse(answer.text));
		} catch (error) {
			throw new CallFailedError("its answer is not Tapedeck's", answer.status, null, null, error);
		}
	}
}
