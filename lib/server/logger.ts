/** The dashboard's log: one JSON object per line on standard output. */
import { pino } from "pino";
import type { Log } from "#lib/core/context.ts";
import type { Env } from "./env.ts";

/** Secrets must not be logged at all; if one is logged under one of these names, it is redacted. */
const SECRET_PATHS = [
	"gridPassword",
	"*.gridPassword",
	"*.*.gridPassword",
	"authorization",
	"*.authorization",
	"password",
	"*.password",
];

/** Characters to buffer while nobody reads the log; what comes after is dropped. */
const MAX_BUFFERED_CHARACTERS = 1_000_000;
const RETRY_MS = 50;

/**
 * Writes each line synchronously. pino's default buffers lines and retries them at exit until it succeeds: for ever, if
 * the reader is gone or the disk is full.
 */
function standardOutput() {
	const fd = process.stdout.fd;
	const output = pino.destination({ fd, sync: true, maxLength: MAX_BUFFERED_CHARACTERS, retryEAGAIN: () => false });
	let retry: NodeJS.Timeout | null = null;
	output.on("error", ({ code }: NodeJS.ErrnoException) => {
		if (code === "EPIPE") {
			output.write = () => true;
			return;
		}
		// A slow reader or a full disk: retry later.
		if (retry !== null) return;
		retry = setTimeout(() => {
			retry = null;
			output.write("");
		}, RETRY_MS).unref();
	});
	return output;
}

export const createLogger = (level: Env["logLevel"]): Log =>
	pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			redact: { paths: SECRET_PATHS, censor: "[hidden]" },
		},
		standardOutput(),
	);
