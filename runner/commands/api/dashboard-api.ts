/** The dashboard's API for the commands: authorized calls, lists over several pages, and failures as sentences. */
import { setTimeout as sleep } from "node:timers/promises";
import { DashboardClock, TIME_HEADER } from "#clients/typescript/src/dashboard-clock.ts";
import type { Page } from "#lib/contract/page.ts";
import type { Problem } from "#lib/contract/problem.ts";
import { errorMessage } from "../../base/fault.ts";
import { fetchThroughProxy, proxyProblem } from "../../base/proxy.ts";
import { readSignIn } from "../../config/saved-sign-in.ts";
import { API_KEY, type Environment, fromEnvironment } from "../../config/settings.ts";
import { CommandError, EXIT, usageError } from "../command.ts";

const CALL_TIMEOUT_MS = 30_000;
/** The largest page that the API returns. */
const PAGE_SIZE = 100;
/** How long a list waits for its next page when the rate limit says so. */
const MAX_RETRY_AFTER_SECONDS = 60;

type Query = Record<string, string | number | undefined>;

export interface CallOptions {
	query?: Query;
	/** Sent as JSON. */
	body?: unknown;
	headers?: Record<string, string>;
	/** What the path names, such as `Job 12`: for the message when it does not exist. */
	what?: string;
	/** Ends the call; by default, it ends after CALL_TIMEOUT_MS. */
	signal?: AbortSignal;
}

/** @throws CommandError for all failures. */
export class DashboardApi {
	/** The dashboard's base URL, without a slash at its end. */
	readonly url: string;
	readonly #key: string | null;
	readonly #clock = new DashboardClock();

	/** @param key null for calls that need none. */
	constructor(url: string, key: string | null) {
		if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
			throw usageError(`TAPEDECK_URL: "${url}" is no address; set it to one such as https://tapedeck.example.com.`);
		this.url = url.replace(/\/+$/, "");
		this.#key = key;
	}

	/** Reads TAPEDECK_URL and TAPEDECK_API_KEY, or else what `tapedeck login` has kept. */
	static of(env: Environment): DashboardApi {
		const signIn = readSignIn(env);
		const url = fromEnvironment(env, "url") ?? signIn?.url;
		if (url === undefined) {
			throw usageError(
				"Set TAPEDECK_URL to the dashboard's address, such as https://tapedeck.example.com, or run tapedeck login.",
			);
		}
		const key = env[API_KEY]?.trim();
		if (key) {
			if (!/^[\x21-\x7e]+$/.test(key))
				throw usageError("TAPEDECK_API_KEY: It contains characters that no API key has; copy the key again.");
			return new DashboardApi(url, key);
		}
		const api = new DashboardApi(url, signIn?.apiKey ?? null);
		// The key of one dashboard is never sent to another.
		if (signIn !== null && signIn.url === api.url) return api;
		const other = signIn === null ? "" : ` (you are signed in to ${signIn.url})`;
		throw usageError(
			`Set TAPEDECK_API_KEY to an API key, which you create in the dashboard under Settings, or run tapedeck login ${api.url}${other}.`,
		);
	}

	/** @returns the parsed body; undefined when it is empty. */
	async call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
		const response = await this.open(method, path, options);
		const text = await response.text().catch((error) => {
			throw this.unreachable(error);
		});
		if (text === "") return undefined as T;
		try {
			return JSON.parse(text) as T;
		} catch {
			throw this.#notTapedeck();
		}
	}

	get<T>(path: string, options: CallOptions = {}): Promise<T> {
		return this.call("GET", path, options);
	}

	/** The dashboard's time at a time of this machine's clock. @param local left as it is when it is no time. */
	async timeOf(local: string): Promise<string> {
		const ask = () => this.get("/v1/health");
		// The first one also opens a connection, so that it says less about the time.
		await ask()
			.then(ask)
			.catch(() => undefined);
		const time = Date.parse(local);
		const corrected = this.#clock.timeOf(new Date(time)).getTime();
		return corrected === time || Number.isNaN(time) ? local : new Date(corrected).toISOString();
	}

	/** Reads pages until `limit` entries are there, or all. @param query its `cursor` is where to begin. */
	async list<T>(path: string, query: Query, limit: number): Promise<Page<T>> {
		const data: T[] = [];
		let cursor = query.cursor;
		for (;;) {
			const size = Math.min(PAGE_SIZE, limit - data.length);
			const page = await this.#page<T>(path, { ...query, limit: size, cursor });
			data.push(...page.data);
			if (page.nextCursor === null || data.length >= limit) return { data, nextCursor: page.nextCursor };
			cursor = page.nextCursor;
		}
	}

	/** Waits as long as the rate limit says, once: a long list is many calls. */
	async #page<T>(path: string, query: Query): Promise<Page<T>> {
		try {
			return await this.get<Page<T>>(path, { query });
		} catch (error) {
			const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
			if (seconds === null || seconds > MAX_RETRY_AFTER_SECONDS) throw error;
			await sleep(seconds * 1_000);
			return this.get<Page<T>>(path, { query });
		}
	}

	/** @returns a response with a status of 2xx, whose body has not been read. */
	async open(method: string, path: string, options: CallOptions = {}): Promise<Response> {
		const { query = {}, body, headers, what, signal } = options;
		const url = new URL(this.url + path);
		for (const [name, value] of Object.entries(query))
			if (value !== undefined) url.searchParams.append(name, String(value));
		const calledAt = performance.now();
		const response = await fetchThroughProxy(url, {
			method,
			headers: {
				accept: "*/*",
				...(this.#key === null ? {} : { authorization: `Bearer ${this.#key}` }),
				...(body === undefined ? {} : { "content-type": "application/json" }),
				...headers,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			redirect: "manual",
			signal: signal ?? AbortSignal.timeout(CALL_TIMEOUT_MS),
		}).catch((error) => {
			throw this.unreachable(error);
		});
		this.#clock.read(response.headers.get(TIME_HEADER), calledAt);
		if (response.ok) return response;
		throw await this.#refusal(response, what);
	}

	/** @param error of fetch, or of reading a body. */
	unreachable(error: unknown): CommandError {
		const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
		const why = (cause as Error).name === "TimeoutError" ? "no response in time" : errorMessage(cause);
		const problem = proxyProblem(new URL(this.url));
		const hint = problem === null ? "" : ` ${problem}`;
		const message = `The dashboard at ${this.url} can't be reached: ${why}. Check TAPEDECK_URL, and that it is running.${hint}`;
		return new CommandError("dashboard_unreachable", message, EXIT.noDashboard);
	}

	async #refusal(response: Response, what: string | undefined): Promise<CommandError> {
		const { status, headers } = response;
		const text = await response.text().catch(() => "");
		if (status >= 300 && status < 400) {
			const to = headers.get("location") ?? "another address";
			return new CommandError("redirected", `${this.url} redirects to ${to}; set TAPEDECK_URL to the final address.`);
		}
		const problem = problemOf(text);
		if (problem === null) {
			if (status < 500) return this.#notTapedeck();
			return new CommandError("dashboard_unreachable", unavailable(this.url, status), EXIT.noDashboard);
		}
		const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
		const seconds = status === 429 && Number.isFinite(retryAfter) ? retryAfter : null;
		return new ApiError(problem, status, this.#sentence(problem, what), seconds);
	}

	#sentence({ code, detail, errors, requestId }: Problem, what: string | undefined): string {
		switch (code) {
			case "unauthorized":
				return /expired/.test(detail)
					? detail
					: `The dashboard at ${this.url} refused the API key. Check TAPEDECK_API_KEY, create a new key under Settings, or run tapedeck login again.`;
			case "forbidden":
				return `Not allowed: ${detail}`;
			case "not_found":
				return what === undefined ? detail : `${what} was not found; it may have been deleted, or belong to others.`;
			case "internal_error":
				return `The dashboard failed; search its log for ${requestId}.`;
			default:
				if (errors === undefined || errors.length === 0) return detail;
				return errors.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("\n");
		}
	}

	#notTapedeck(): CommandError {
		const message = `What answers at ${this.url} is no Tapedeck dashboard; check TAPEDECK_URL.`;
		return new CommandError("not_a_dashboard", message);
	}
}

/** The API refused a call. */
export class ApiError extends CommandError {
	override name = "ApiError";
	readonly status: number;
	/** When to call again, if the rate limit said so. */
	readonly retryAfterSeconds: number | null;

	constructor(problem: Problem, status: number, message: string, retryAfterSeconds: number | null) {
		super(problem.code, message);
		this.status = status;
		this.retryAfterSeconds = retryAfterSeconds;
	}
}

/** Whether the same call may succeed in a moment: the dashboard is away, or busy. */
export const isTemporary = (error: unknown): boolean =>
	error instanceof CommandError &&
	(error.exit === EXIT.noDashboard || (error instanceof ApiError && [429, 503].includes(error.status)));

const unavailable = (url: string, status: number): string =>
	`The dashboard at ${url} can't be reached: its proxy answers with status ${status}. Check that it is running.`;

function problemOf(text: string): Problem | null {
	try {
		const problem = JSON.parse(text) as Problem;
		return typeof problem.code === "string" && typeof problem.detail === "string" ? problem : null;
	} catch {
		return null;
	}
}
