/** The dashboard's log: one JSON object a line on standard output. */
import { pino } from "pino";
import type { Log } from "../core/context.ts";
import type { Env } from "./env.ts";

/** Secrets have no business in a log line; should one get there by its name, it is blanked. */
const SECRET_PATHS = [
	"gridPassword",
	"*.gridPassword",
	"*.*.gridPassword",
	"authorization",
	"*.authorization",
	"password",
	"*.password",
];

/** What whoever reads the log leaves unread is kept up to here, in characters; what comes then is dropped. */
const MOST_UNREAD = 1_000_000;
const TRY_AGAIN_MS = 50;

/**
 * Every line is written where it is told. pino's default writes behind our back and, when the process ends, what is
 * left over and over until it succeeds: for ever, when whoever read it is gone or the disk is full.
 */
function standardOutput() {
	const fd = process.stdout.fd;
	const output = pino.destination({ fd, sync: true, maxLength: MOST_UNREAD, retryEAGAIN: () => false });
	let again: NodeJS.Timeout | null = null;
	output.on("error", ({ code }: NodeJS.ErrnoException) => {
		if (code === "EPIPE") {
			output.write = () => true;
			return;
		}
		// A reader that is slow or a full disk: later.
		if (again !== null) return;
		again = setTimeout(() => {
			again = null;
			output.write("");
		}, TRY_AGAIN_MS).unref();
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
