/** The client of the commands that call the dashboard's API, and its failures as sentences. */

import { Tapedeck, TapedeckError } from "@tapedeck/client-source/index.ts";
import { API_KEY } from "@tapedeck/machine/runner-variables.ts";
import { errorMessage } from "../../base/fault.ts";
import { proxyProblem } from "../../base/proxy.ts";
import { readSignIn } from "../../config/saved-sign-in.ts";
import { type Environment, fromEnvironment } from "../../config/settings.ts";
import { CommandError, EXIT, usageError } from "../command.ts";

/** @param apiKey null for calls that need none. @throws CommandError for an invalid address. */
export function createClient(url: string, apiKey: string | null, retries = 0): Tapedeck {
	if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
		throw usageError(`TAPEDECK_URL: "${url}" is no address; set it to one such as https://tapedeck.example.com.`);
	return new Tapedeck({ url, apiKey, retries });
}

/**
 * The client for TAPEDECK_URL and TAPEDECK_API_KEY, or else for what `tapedeck login` has kept.
 * @param retries how often a call is repeated; by default another try is the caller's to make.
 * @throws CommandError when they are missing or invalid.
 */
export function clientOf(env: Environment, retries = 0): Tapedeck {
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
		return createClient(url, key, retries);
	}
	const client = createClient(url, signIn?.apiKey ?? null, retries);
	// The key of one dashboard is never sent to another.
	if (signIn !== null && signIn.url === client.url) return client;
	const other = signIn === null ? "" : ` (you are signed in to ${signIn.url})`;
	throw usageError(
		`Set TAPEDECK_API_KEY to an API key, which you create in the dashboard under Settings, or run tapedeck login ${client.url}${other}.`,
	);
}

/** @param what it is about, such as `Job 12`: for the message when that does not exist. */
export async function about<T>(what: string, call: Promise<T>): Promise<T> {
	try {
		return await call;
	} catch (error) {
		if (!(error instanceof TapedeckError) || error.code !== "not_found") throw error;
		throw new CommandError("not_found", `${what} was not found; it may have been deleted, or belong to others.`);
	}
}

/** The failure of a call whose connection broke while its answer was read. */
export const brokenConnection = (cause: unknown): TapedeckError =>
	new TapedeckError({ status: 0, code: "unreachable", detail: "The connection broke.", cause });

/** Whether no dashboard has answered. */
const isUnreachable = ({ code }: TapedeckError): boolean => code === "unreachable" || code === "timeout";

/** Whether the same call may succeed in a moment: the dashboard is away, or busy. */
export const isTemporary = (error: unknown): boolean =>
	error instanceof TapedeckError && (isUnreachable(error) || error.status === 429 || error.status === 503);

/** @param url the dashboard's address. @returns the CommandError for a failed call; other errors unchanged. */
export function asCommandError(error: unknown, url: string): unknown {
	if (!(error instanceof TapedeckError)) return error;
	if (isUnreachable(error))
		return new CommandError("dashboard_unreachable", whyUnreachable(error, url), EXIT.noDashboard);
	return new CommandError(error.code, sentenceOf(error, url));
}

function whyUnreachable({ status, code, cause, detail }: TapedeckError, url: string): string {
	// Its proxy has answered.
	if (status !== 0) return detail;
	const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
	const why = code === "timeout" ? "no response in time" : errorMessage(inner);
	const problem = proxyProblem(new URL(url));
	const hint = problem === null ? "" : ` ${problem}`;
	return `The dashboard at ${url} can't be reached: ${why}. Check TAPEDECK_URL, and that it is running.${hint}`;
}

function sentenceOf({ code, detail, message, requestId, location }: TapedeckError, url: string): string {
	switch (code) {
		case "redirected":
			return `${url} redirects to ${location ?? "another address"}; set TAPEDECK_URL to the final address.`;
		case "not_a_dashboard":
			return `The server at ${url} is not a Tapedeck dashboard; check TAPEDECK_URL.`;
		case "unauthorized":
			return /expired/.test(detail)
				? detail
				: `The dashboard at ${url} refused the API key. Check TAPEDECK_API_KEY, create a new key under Settings, or run tapedeck login again.`;
		case "forbidden":
			return `Not allowed: ${detail}`;
		case "internal_error":
			return `The dashboard failed; search its log for ${requestId}.`;
		default:
			return message;
	}
}
