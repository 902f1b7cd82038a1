/** HTTP calls to the dashboard as defined in contract/runner-protocol. Holds the session, makes no decisions. */
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
	type SignInBody,
	type SyncBody,
	signInAnswerSchema,
} from "@tapedeck/contract/runner-protocol.ts";
import * as z from "zod";
import { errorMessage } from "../base/fault.ts";
import { type HttpAnswer, HttpPool } from "./http.ts";

const CALL_TIMEOUT_MS = 6_000;
/** Added to a sync's hold time: a stalled connection is noticed within 10 s. */
const SYNC_SLACK_MS = 4_000;

/** A failed call. `status` is 0 when there was no answer. */
export class CallFailedError extends Error {
	override name = "CallFailedError";
	readonly status: number;
	/** The code of the problem document; null when the answer was none. */
	readonly code: string | null;
	/** The detail of the problem document; null when the answer was none. */
	readonly detail: string | null;

	constructor(
		message: string,
		status: number,
		code: string | null = null,
		detail: string | null = null,
		cause?: unknown,
	) {
		super(message, { cause });
		this.status = status;
		this.code = code;
		this.detail = detail;
	}

	/** Whether the same call may succeed later: the server was unreachable, busy or failing. */
	get isTransient(): boolean {
		// 501 and 505 state what a server supports, so they are never temporary.
		if (this.status === 501 || this.status === 505) return false;
		return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
	}
}

const problemSchema = z.object({ code: z.string(), detail: z.string() });

export function problemOf(answer: HttpAnswer): z.infer<typeof problemSchema> | null {
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

	/** @throws CallFailedError; with `status` 200 when the server is not Tapedeck. */
	async signIn(who: SignInBody): Promise<SignInAnswer> {
		const answer = await this.#post("sign-in", who, signInAnswerSchema);
		this.sessionId = answer.sessionId;
		return answer;
	}

	/** The dashboard holds the call for up to `waitSeconds` while there is nothing new. */
	sync(body: SyncBody, signal: AbortSignal): Promise<ReceivedSyncAnswer> {
		return this.#post("sync", body, receivedSyncAnswerSchema, body.waitSeconds * 1_000 + SYNC_SLACK_MS, signal);
	}

	reports(body: ReportsBody): Promise<ReceivedReportsAnswer> {
		return this.#post("reports", body, receivedReportsAnswerSchema);
	}

	createAutoJob(body: AutoJobBody): Promise<ReceivedAutoJobAnswer> {
		return this.#post("jobs", body, receivedAutoJobAnswerSchema);
	}

	/** Best effort: otherwise the dashboard lets the session's lease expire. */
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

	/** A call with the runner's credentials; resolves with any status. @throws CallFailedError when there is no answer. */
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
			throw new CallFailedError(errorMessage(error), 0, null, null, error);
		}
	}

	close(): void {
		this.#pool.close();
	}

	async #post<S extends z.ZodType>(
		endpoint: string,
		body: unknown,
		answerSchema: S,
		timeoutMs = CALL_TIMEOUT_MS,
		signal?: AbortSignal,
	): Promise<z.output<S>> {
		const answer = await this.send({
			method: "POST",
			path: `/v1/runner/${endpoint}`,
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
			timeoutMs,
			signal,
		});
		if (answer.status < 200 || answer.status > 299) {
			const problem = problemOf(answer);
			throw new CallFailedError(
				problem?.detail ?? `status ${answer.status}`,
				answer.status,
				problem?.code ?? null,
				problem?.detail ?? null,
			);
		}
		try {
			return answerSchema.parse(JSON.parse(answer.text));
		} catch (error) {
			throw new CallFailedError("the response is not Tapedeck's", answer.status, null, null, error);
		}
	}
}
