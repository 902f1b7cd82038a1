/** The one place that turns errors into responses: RFC 9457 problem documents. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Fault, PROBLEMS, type Problem, type ProblemCode } from "@tapedeck/contract/problem.ts";
import type { Log } from "#lib/core/context.ts";
import { isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import { isBusyReads, isSlowRead, postgresFault, sqliteFault } from "#lib/db/database-errors.ts";

export type ProblemAnswer = { status: number; headers: Record<string, string>; body: Problem };

/**
 * @param error anything that was thrown. Unexpected errors are logged and become a 500 without internal details.
 * @returns status, headers and body of the response.
 */
export function problemAnswer(error: unknown, requestId: string, log: Log | null): ProblemAnswer {
	const known = isTapedeckError(error) ? error : databaseProblem(error);
	const { status } = PROBLEMS[known?.code ?? "internal_error"];
	if (status >= 500 && status !== 503 && status !== 507) log?.error({ err: error, requestId }, "a call failed");
	return problemOf(
		known?.code ?? "internal_error",
		known?.message ?? "Something went wrong on the server. Try again; the server log has details under this requestId.",
		requestId,
		known?.faults ?? [],
		known?.headers ?? {},
	);
}

/** A busy or full database is not a server fault: the call can be repeated later, or after space has been freed. */
function databaseProblem(cause: unknown): TapedeckError | null {
	if (isSlowRead(cause)) {
		return new TapedeckError(
			"unavailable",
			"This takes too long over so much data. Narrow it, for example by createdAfter and createdBefore, or search for a longer part of the name.",
			{ cause },
		);
	}
	if (isBusyReads(cause)) {
		return new TapedeckError(
			"unavailable",
			"Too many searches are running: this one had no turn within 10 seconds. Wait for your others to end, then try again.",
			{ cause },
		);
	}
	switch (sqliteFault(cause) ?? postgresFault(cause)) {
		case "busy":
			return new TapedeckError("unavailable", "The database is busy or unreachable. Try again in a moment.", { cause });
		case "full":
			return new TapedeckError(
				"insufficient_storage",
				"The disk that holds the dashboard's database is full. Delete recordings, or free space on that disk.",
				{ cause },
			);
		default:
			return null;
	}
}

function problemOf(
	code: ProblemCode,
	detail: string,
	requestId: string,
	faults: Fault[],
	headers: Record<string, string>,
): ProblemAnswer {
	const { status, title } = PROBLEMS[code];
	const body: Problem = { type: `urn:tapedeck:problem:${code}`, title, status, detail, code, requestId };
	if (faults.length > 0) body.errors = faults;
	return {
		status,
		body,
		headers: {
			"content-type": "application/problem+json",
			"cache-control": "no-store",
			"x-request-id": requestId,
			...(status === 401 ? { "www-authenticate": 'Bearer realm="Tapedeck"' } : {}),
			...(status === 503 ? { "retry-after": "2" } : {}),
			...headers,
		},
	};
}

export function problemResponse(error: unknown, requestId: string, log: Log | null): Response {
	const { status, headers, body } = problemAnswer(error, requestId, log);
	return new Response(JSON.stringify(body), { status, headers });
}

/** Sends a problem document on a Node response. */
export function sendProblem(
	error: unknown,
	requestId: string,
	log: Log | null,
	req: IncomingMessage,
	res: ServerResponse,
): void {
	const { status, headers, body } = problemAnswer(error, requestId, log);
	// The rest of an unread body would be parsed as the next request.
	if (!req.complete) res.setHeader("connection", "close");
	const text = JSON.stringify(body);
	res.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
	res.end(req.method === "HEAD" ? undefined : text);
}

export const unauthorized = (): TapedeckError =>
	new TapedeckError(
		"unauthorized",
		"Send a valid API key as `Authorization: Bearer <API_KEY>`, or sign in to the dashboard. Create API keys under Settings.",
	);
