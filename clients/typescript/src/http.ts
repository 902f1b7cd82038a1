/** Calls of the API: credentials, time limits, tries, and failures as TapedeckError. */

import { DashboardClock, TIME_HEADER } from "./dashboard-clock.ts";
import { ownEnvironment } from "./environment.ts";
import { errorOf, TapedeckError } from "./error.ts";
import { type Guard, guardRecording } from "./guard.ts";
import { fetchThrough } from "./proxied-fetch.ts";
import { type ProxySetting, proxyFor } from "./proxy.ts";
import { backoffMs, pause } from "./wait.ts";

const CALL_TIMEOUT_MS = 30_000;
const TIME_TIMEOUT_MS = 5_000;
/** A dashboard that asks for a longer wait than this is not waited for. */
const MAX_RETRY_AFTER_SECONDS = 60;
const DEFAULT_RETRIES = 5;

export interface ClientOptions {
	/** The dashboard's address, such as https://tapedeck.example.com. By default TAPEDECK_URL. */
	url?: string;
	/** Created in the dashboard under Settings. By default TAPEDECK_API_KEY; null for the few calls that need none. */
	apiKey?: string | null;
	/** The number of retries of a call that may succeed in a moment. Default: 5, which takes up to 8 seconds. */
	retries?: number;
	/** A recent measurement by another process on this machine: the `clockShiftMs` of its client. */
	clockShiftMs?: number;
	/** Replaces the global fetch, which in Node uses the HTTP proxy of the environment, if there is one. */
	fetch?: typeof fetch;
}

/** Options of every call. */
export interface CallOptions {
	/** Ends the call, with its reason. */
	signal?: AbortSignal;
}

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

export interface RequestOptions extends CallOptions {
	query?: Readonly<Record<string, QueryValue>>;
	/** Sent as JSON. */
	body?: unknown;
	/** Sent as it is, instead of `body`; `headers` must have its type. */
	text?: string;
	/** The same for bytes. A Blob of a file is read while it is sent. */
	bytes?: Uint8Array | Blob;
	headers?: Readonly<Record<string, string>>;
	/** The maximum time of one attempt, in milliseconds. Default: 30,000. */
	timeoutMs?: number;
	/**
	 * Whether a call may be repeated although it may have been executed. Default: true for all methods except POST. Calls
	 * that the dashboard refused with 429 or 503 are repeated anyway.
	 */
	repeatable?: boolean;
}

export class Http {
	/** The dashboard's base URL, without a slash at its end. */
	readonly url: string;
	readonly clock: DashboardClock;
	readonly #apiKey: string | null;
	readonly #retries: number;
	readonly #fetch: typeof fetch;
	readonly #proxy: ProxySetting | null;

	constructor({ url, apiKey, retries = DEFAULT_RETRIES, clockShiftMs, fetch: own }: ClientOptions) {
		this.url = checkedUrl(url ?? ownEnvironment().TAPEDECK_URL);
		this.#apiKey = apiKey === null ? null : checkedKey(apiKey ?? ownEnvironment().TAPEDECK_API_KEY);
		this.#retries = retries;
		this.clock = new DashboardClock(clockShiftMs);
		this.#proxy = own === undefined ? proxyOf(this.url) : null;
		const { url: through, problem } = this.#proxy ?? {};
		this.#fetch =
			own ??
			(through === undefined || problem !== null
				? globalThis.fetch.bind(globalThis)
				: (input, init = {}) => fetchThrough(through, new URL(String(input)), init));
	}

	/** Ends the job's recording if this process does not: at a signal by `end`, else with the key of these calls. */
	guard(jobId: number, end: () => Promise<unknown>): Guard {
		// Without a key, no recording can start.
		return guardRecording(this.url, this.#apiKey ?? "", jobId, end);
	}

	/** The dashboard's time at a time of this machine's clock. Before the first answer, this makes calls for it. */
	async timeOf(local: Date, { signal }: CallOptions = {}): Promise<Date> {
		if (this.clock.shiftMs === undefined) {
			const limit = AbortSignal.timeout(TIME_TIMEOUT_MS);
			const whole = signal === undefined ? limit : AbortSignal.any([signal, limit]);
			const ask = async () => (await this.#once("GET", "/v1/health", { signal: whole })).text();
			// The first one also opens a connection, so that it says less about the time.
			await ask()
				.then(ask)
				.catch(() => undefined);
		}
		return this.clock.timeOf(local);
	}

	/**
	 * @param options.takesText whether the answer may be text; by default, only JSON is one of a dashboard.
	 * @returns the parsed body, or the text; undefined when it is empty.
	 */
	async call<T>(
		method: string,
		path: string,
		{ takesText = false, ...options }: RequestOptions & { takesText?: boolean } = {},
	): Promise<T> {
		return this.#retrying(method, options, async (signal) => {
			const response = await this.#once(method, path, { ...options, signal });
			const body = await this.#bodyOf(response);
			if (typeof body === "string" && !takesText) throw this.#notADashboard(response);
			return body as T;
		});
	}

	async #bodyOf(response: Response): Promise<unknown> {
		const text = await response.text();
		const type = response.headers.get("content-type") ?? "";
		if (text === "" && !type.startsWith("text/html")) return undefined;
		if (/^application\/json\b/.test(type)) return JSON.parse(text);
		// The API sets the type of its responses, and never responds with a page.
		if (type === "" || type.startsWith("text/html")) throw this.#notADashboard(response);
		return text;
	}

	#notADashboard({ status }: Response): TapedeckError {
		const detail = `The server at ${this.url} is not a Tapedeck dashboard. Check the url.`;
		return new TapedeckError({ status, code: "not_a_dashboard", detail });
	}

	/** @returns the answer with its body not read yet. The time limit is for its beginning; the signal ends it all. */
	async open(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
		return this.#retrying(method, options, async (signal, began) => {
			const response = await this.#once(method, path, { ...options, signal });
			began();
			return response;
		});
	}

	async #retrying<T>(
		method: string,
		options: RequestOptions,
		attempt: (signal: AbortSignal, began: () => void) => Promise<T>,
	): Promise<T> {
		const { signal, timeoutMs = CALL_TIMEOUT_MS, repeatable = method !== "POST" } = options;
		for (let failures = 0; ; ) {
			signal?.throwIfAborted();
			const timeout = new AbortController();
			const timer = setTimeout(() => timeout.abort(), timeoutMs);
			const whole = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
			try {
				return await attempt(whole, () => clearTimeout(timer));
			} catch (cause) {
				if (signal?.aborted) throw signal.reason;
				const error = cause instanceof TapedeckError ? cause : this.#unreachable(cause, timeout.signal.aborted);
				// A deletion whose answer was lost.
				if (method === "DELETE" && error.status === 404 && failures > 0) return undefined as T;
				failures++;
				const waitMs = failures > this.#retries ? null : retryAfterMs(error, failures, repeatable);
				if (waitMs === null) throw error;
				await pause(waitMs, signal);
			} finally {
				clearTimeout(timer);
			}
		}
	}

	async #once(
		method: string,
		path: string,
		{ query = {}, body, text, bytes, headers, signal }: RequestOptions,
	): Promise<Response> {
		const url = new URL(this.url + path);
		for (const [name, value] of Object.entries(query)) {
			for (const each of Array.isArray(value) ? value : [value]) {
				if (each !== undefined) url.searchParams.append(name, String(each));
			}
		}
		const calledAt = performance.now();
		const response = await this.#fetch(url, {
			method,
			headers: {
				...(this.#apiKey === null ? {} : { authorization: `Bearer ${this.#apiKey}` }),
				...(body === undefined ? {} : { "content-type": "application/json" }),
				...headers,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			...(text === undefined ? {} : { body: text }),
			...(bytes === undefined ? {} : { body: bytes as BodyInit }),
			// A redirected POST would arrive as a GET, and without the key.
			redirect: "manual",
			credentials: "omit",
			cache: "no-store",
			...(signal === undefined ? {} : { signal }),
		});
		this.clock.read(response.headers.get(TIME_HEADER), calledAt);
		if (response.ok) return response;
		throw await errorOf(response, this.url);
	}

	#unreachable(cause: unknown, timedOut: boolean): TapedeckError {
		const why = timedOut ? "no response in time" : reasonOf(cause);
		const hint = this.#proxy?.problem ? ` ${this.#proxy.problem}` : "";
		const detail = `The dashboard at ${this.url} can't be reached: ${why}. Check the url, and that it is running.${hint}`;
		return new TapedeckError({ status: 0, code: timedOut ? "timeout" : "unreachable", detail, cause });
	}
}

/** @returns how long to wait before the next try; null when another try makes no sense. */
function retryAfterMs(error: TapedeckError, failures: number, repeatable: boolean): number | null {
	// These were not carried out.
	const wasRefused = error.status === 429 || error.status === 503 || neverSent(error);
	const isLost = error.status === 0 || error.status === 502 || error.status === 504;
	if (!wasRefused && !(isLost && repeatable)) return null;
	const asked = error.retryAfterSeconds;
	if (asked === null) return backoffMs(failures);
	return asked > MAX_RETRY_AFTER_SECONDS ? null : asked * 1_000 + backoffMs(1);
}

/** Whether no connection was made. Browsers don't say. */
function neverSent({ cause }: TapedeckError): boolean {
	const code = ((cause as Error | undefined)?.cause as { code?: string } | undefined)?.code;
	return code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN";
}

function reasonOf(cause: unknown): string {
	const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
	const message =
		inner instanceof Error ? inner.message || ((inner as { code?: string }).code ?? inner.name) : String(inner);
	return message.replace(/\.$/, "");
}

function checkedUrl(url: string | undefined): string {
	const hint = "the dashboard's address, such as https://tapedeck.example.com, as url or in TAPEDECK_URL.";
	if (!url) throw new TypeError(`Set ${hint}`);
	let protocol: string;
	try {
		({ protocol } = new URL(url));
	} catch {
		protocol = "";
	}
	if (!/^https?:$/.test(protocol)) throw new TypeError(`"${url}" is no address. Set ${hint}`);
	return url.replace(/\/+$/, "");
}

function checkedKey(apiKey: string | undefined): string {
	const key = apiKey?.trim();
	if (!key) {
		throw new TypeError(
			"Set an API key, which you create in the dashboard under Settings, as apiKey or in TAPEDECK_API_KEY.",
		);
	}
	if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError("The API key has characters that no key has. Copy it again.");
	return key;
}

/** Browsers have their own settings; runtimes other than Node have a `fetch` that uses those of the environment. */
function proxyOf(url: string): ProxySetting | null {
	const { process } = globalThis as { process?: NodeLike };
	const { node, bun, deno } = process?.versions ?? {};
	if (!node || bun || deno || typeof process?.getBuiltinModule !== "function") return null;
	return process.env === undefined ? null : proxyFor(new URL(url), process.env);
}

interface NodeLike {
	env?: Record<string, string | undefined>;
	versions?: Record<string, string | undefined>;
	getBuiltinModule?: unknown;
}
