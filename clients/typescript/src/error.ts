/** Errors of calls. */
import type { Fault, Problem } from "./openapi.ts";

export interface Failure {
	status: number;
	code: string;
	detail: string;
	errors?: readonly Fault[];
	requestId?: string | null;
	retryAfterSeconds?: number | null;
	location?: string | null;
	cause?: unknown;
}

/**
 * A call that failed. `code` is that of the problem document, or one of the client's own: `unreachable`, `timeout`,
 * `redirected` and `not_a_dashboard` for responses that are not the API's, `not_started` for a recording without a
 * frame.
 */
export class TapedeckError extends Error {
	override name = "TapedeckError";
	/** The HTTP status; 0 without an answer. */
	readonly status: number;
	readonly code: string;
	/** The cause of the error, and the remedy. */
	readonly detail: string;
	/** Every fault in the request, with its path. */
	readonly errors: readonly Fault[];
	/** The id of the call in the dashboard's log. */
	readonly requestId: string | null;
	/** When to call again, if the dashboard said so. */
	readonly retryAfterSeconds: number | null;
	/** For `redirected`: the address in the response. */
	readonly location: string | null;

	constructor(failure: Failure) {
		const { status, code, detail, errors = [], requestId = null, retryAfterSeconds = null, location = null } = failure;
		const faults = errors.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
		super(faults.length === 0 ? detail : faults.join("\n"), { cause: failure.cause });
		this.status = status;
		this.code = code;
		this.detail = detail;
		this.errors = errors;
		this.requestId = requestId;
		this.retryAfterSeconds = retryAfterSeconds;
		this.location = location;
	}
}

/** @returns the error of an answer that is not a success. Reads its body. */
export async function errorOf(response: Response, baseUrl: string): Promise<TapedeckError> {
	const { status, headers, type } = response;
	if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
		const location = headers.get("location");
		const detail = `${baseUrl} redirects to ${location ?? "another address"}. Use the final address as the url.`;
		return new TapedeckError({ status, code: "redirected", detail, location });
	}
	const retryAfterSeconds = secondsOf(headers.get("retry-after"));
	const text = await response.text().catch(() => "");
	const problem = problemOf(text);
	if (problem !== null) return new TapedeckError({ ...problem, status, retryAfterSeconds });
	const detail =
		status >= 500
			? `The dashboard at ${baseUrl} can't be reached: its proxy answers with status ${status}. Check that it is running.`
			: `The server at ${baseUrl} is not a Tapedeck dashboard (status ${status}). Check the url.`;
	return new TapedeckError({
		status,
		code: status >= 500 ? "unreachable" : "not_a_dashboard",
		detail,
		retryAfterSeconds,
		// Callers may know which other services answer at this address.
		cause: text,
	});
}

function problemOf(text: string): Problem | null {
	try {
		const problem = JSON.parse(text) as Problem;
		return typeof problem.code === "string" && typeof problem.detail === "string" ? problem : null;
	} catch {
		return null;
	}
}

/** `Retry-After` in seconds or as a date. */
function secondsOf(text: string | null): number | null {
	if (text === null) return null;
	if (/^\d+$/.test(text)) return Number(text);
	const at = Date.parse(text);
	return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1_000);
}
