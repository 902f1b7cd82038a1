/** The id of the request that is being handled, for every line of the log; and a line for each request. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { CLIENT_ADDRESS_HEADER } from "#lib/auth/sign-in/client-address.ts";
import type { Log } from "#lib/core/context.ts";

type RequestFields = { requestId: string };

const current = new AsyncLocalStorage<RequestFields>();

/** Runs `handle` as the handling of a request: its answer and its lines in the log have one id. */
export const asRequest = <T>(handle: () => T): T => current.run({ requestId: randomUUID() }, handle);

/** The id of the request that is being handled; a new one outside of any. */
export const requestId = (): string => current.getStore()?.requestId ?? randomUUID();

/** Fields that the log adds to each line written while a request is handled. */
export const requestFields = (): object => current.getStore() ?? {};

/** Links whose secret is in their path. */
const SECRET_PATH = /^((?:\/v1)?\/shared\/)[^/?]+/;

/**
 * Writes a line when a request ends: at `info`, or at `warn` if it was refused or failed. Answered health checks, which
 * balancers make every second, have one at `debug`. Of its address only the path, because signed URLs carry their secret in the
 * query.
 * @param log read at the end of the request: null while the dashboard starts.
 * @param refusedOnly no line for requests that were answered as usual.
 */
export function logRequest(
	req: IncomingMessage,
	res: ServerResponse,
	refusedOnly: boolean,
	log: () => Log | null,
): void {
	const beganAt = performance.now();
	const fields = requestFields();
	res.once("close", () => {
		const status = res.headersSent ? res.statusCode : null;
		const isRefused = status !== null && status >= 400;
		if (refusedOnly && !isRefused) return;
		const path = (req.url ?? "").split("?", 1)[0]?.replace(SECRET_PATH, "$1[hidden]").slice(0, 500);
		const line = {
			...fields,
			method: req.method,
			path,
			status,
			ms: Math.round(performance.now() - beganAt),
			address: req.headers[CLIENT_ADDRESS_HEADER],
			...(res.writableFinished ? {} : { brokeOff: true }),
		};
		const level = path === "/v1/health" ? "debug" : "info";
		log()?.[isRefused ? "warn" : level](line, isRefused ? "request refused" : "request");
	});
}
