/** The one place where an error becomes an answer: RFC 9457 problem documents. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Fault, PROBLEMS, type Problem, type ProblemCode } from "../contract/problem.ts";
import type { Log } from "../core/context.ts";
import { isTapedeckError, TapedeckError } from "../core/errors.ts";
import { postgresFault } from "../db/postgres-fault.ts";
import { sqliteFault } from "../db/database-errors.ts";

export type ProblemAnswer = { status: number; headers: Record<string, string>; body: Problem };

/**
 * @param error anything that was thrown. What is not ours becomes a 500 that shows no inside, and a line in the log.
 * @returns status, headers and body of the answer.
 */
export function problemAnswer(error: unknown, requestId: string, log: Log | null): ProblemAnswer {
	const known = isTapedeckError(error) ? error : databaseProblem(error);
	const { status } = PROBLEMS[known?.code ?? "internal_error"];
	if (status >= 500 && status !== 503 && status !== 507) log?.error({ err: error, requestId }, "a call failed");
	return problemOf(
		known?.code ?? "internal_error",
		known?.message ??
			"The request could not be carried out. Try again; the server's log tells more under this requestId.",
		requestId,
		known?.faults ?? [],
		known?.headers ?? {},
	);
}

/** What the database cannot do now is nothing that broke: who asks later, or after some space was freed, gets it. */
function databaseProblem(cause: unknown): TapedeckError | null {
	switch (sqliteFault(cause) ?? postgresFault(cause)) {
		case "busy":
			return new TapedeckError("unavailable", "The database is busy or away. Try again in a moment.", { cause });
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

/** Answers a request with a problem document, on Node's own response. */
export function sendProblem(
	error: unknown,
	requestId: string,
	log: Log | null,
	req: IncomingMessage,
	res: ServerResponse,
): void {
	const { status, headers, body } = problemAnswer(error, requestId, log);
	// A body that was not read would be taken for the next request.
	if (!req.complete) res.setHeader("connection", "close");
	const text = JSON.stringify(body);
	res.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
	res.end(req.method === "HEAD" ? undefined : text);
	if (!req.complete) req.resume();
}

export const unauthorized = (): TapedeckError =>
	new TapedeckError(
		"unauthorized",
		"Send a valid API key as `Authorization: Bearer <API_KEY>`, or sign in to the dashboard. Keys are made under Settings.",
	);
