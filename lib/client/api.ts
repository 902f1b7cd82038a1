/** Calls to `/v1` from the pages: JSON in and out, problem documents as typed errors. */
import type { Fault, Problem } from "@tapedeck/contract/problem.ts";

/** A refused or failed call. `message` is written for users. */
export class ApiError extends Error {
	/** 0 if there was no response. */
	readonly status: number;
	readonly code: string;
	readonly faults: Fault[];
	readonly requestId: string | null;

	constructor(problem: Pick<Problem, "status" | "code" | "detail"> & Partial<Problem>) {
		super(problem.detail);
		this.name = "ApiError";
		this.status = problem.status;
		this.code = problem.code;
		this.faults = problem.errors ?? [];
		this.requestId = problem.requestId ?? null;
	}
}

export const UNREACHABLE =
	"Can't reach Tapedeck. Check your connection and that the server is running, then try again.";

/** The error for an unsuccessful response. */
export function errorOf(status: number, body: unknown): ApiError {
	const problem = typeof body === "object" && body !== null ? (body as Partial<Problem> & { message?: unknown }) : {};
	const detail =
		typeof problem.detail === "string"
			? problem.detail
			: typeof problem.message === "string"
				? problem.message
				: `Tapedeck answered with status ${status}. Try again. If it keeps happening, check the server log.`;
	return new ApiError({ ...problem, status, code: problem.code ?? "unknown", detail });
}

export type QueryValue = string | number | undefined | null | readonly string[];

/** `?a=1&b=x&b=y` without empty values; an empty string if nothing is left. */
export function queryString(query: Record<string, QueryValue>): string {
	const params = new URLSearchParams();
	for (const [key, value] of Object.entries(query)) {
		if (value === undefined || value === null || value === "") continue;
		if (typeof value === "string" || typeof value === "number") params.set(key, String(value));
		else for (const item of value) params.append(key, item);
	}
	const text = params.toString();
	return text === "" ? "" : `?${text}`;
}

export interface CallOptions {
	query?: Record<string, QueryValue>;
	body?: unknown;
	headers?: Record<string, string>;
	signal?: AbortSignal;
	/** Completes the call even if the page is left. */
	keepalive?: boolean;
}

const signedOut = new Set<() => void>();

/** Calls `notify` whenever a call is refused because the session has ended. @returns how to stop. */
export function whenSignedOut(notify: () => void): () => void {
	signedOut.add(notify);
	return () => void signedOut.delete(notify);
}

/**
 * Calls the API with the session cookie.
 * @throws ApiError for every unsuccessful response, and with status 0 if there was none.
 */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
	const headers: Record<string, string> = { accept: "application/json", ...options.headers };
	if (options.body !== undefined) headers["content-type"] = "application/json";
	let response: Response;
	try {
		response = await fetch(path + queryString(options.query ?? {}), {
			method,
			headers,
			body: options.body === undefined ? undefined : JSON.stringify(options.body),
			signal: options.signal,
			keepalive: options.keepalive,
			credentials: "same-origin",
		});
	} catch (cause) {
		if (options.signal?.aborted) throw cause;
		throw new ApiError({ status: 0, code: "unreachable", detail: UNREACHABLE });
	}
	const text = await response.text();
	let body: unknown;
	try {
		body = text === "" ? undefined : JSON.parse(text);
	} catch {
		body = undefined;
	}
	if (response.status === 401 && path.startsWith("/v1/")) {
		for (const notify of signedOut) notify();
		// The API's message mentions API keys, which mean nothing on a page.
		throw new ApiError({ status: 401, code: "signed_out", detail: "Your session has ended. Sign in again." });
	}
	if (!response.ok) throw errorOf(response.status, body);
	return body as T;
}

/** The message of any error, for a toast or a notice. */
export const errorMessage = (error: unknown): string =>
	error instanceof Error && error.message !== "" ? error.message : "Something went wrong. Try again.";
