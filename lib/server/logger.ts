/** The dashboard's log: one JSON object per line on standard output. */
import { hostname } from "node:os";
import { format } from "node:util";
import { VERSION } from "@tapedeck/contract/version.ts";
import { pino } from "pino";
import type { Log } from "#lib/core/context.ts";
import { postgresFault, sqliteFault } from "#lib/db/database-errors.ts";
import { requestFields } from "#lib/http/request-log.ts";
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

/** The number of characters to buffer while the log is not read. Further lines are dropped. */
const MAX_BUFFERED_CHARACTERS = 1_000_000;
const RETRY_MS = 50;

/**
 * Writes each line synchronously. pino's default buffers lines and retries them at exit until it succeeds: endlessly,
 * if the reader has ended or the disk is full.
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

const WARN = 40;

/**
 * The reason why the database or the object store failed; null for any other error. While one of them is unreachable,
 * each call, each open stream and each sweep fails for the same reason.
 */
const storeFault = (error: unknown): string | null =>
	postgresFault(error) ?? sqliteFault(error) ?? (error as { objectFault?: string } | undefined)?.objectFault ?? null;

/** @param node the id of this node; the name of the machine for a dashboard that is alone. */
export const createLogger = (level: Env["logLevel"], node: string = hostname()): Log => {
	const once = onceAPeriod(REPEATS_MS);
	return pino(
		{
			level,
			base: { node, version: VERSION },
			mixin: requestFields,
			timestamp: pino.stdTimeFunctions.isoTime,
			redact: { paths: SECRET_PATHS, censor: "[hidden]" },
			hooks: {
				logMethod(args, method, level) {
					const [data, message] = args as unknown as [{ err?: unknown } | undefined, string];
					const fault = level < WARN ? null : storeFault(data?.err);
					if (fault === null) return method.apply(this, args);
					once(`${level} ${fault} ${message}`, (more) => method.call(this, { ...data, ...more }, message));
				},
			},
		},
		standardOutput(),
	);
};

/** Turns the output of libraries and Node's own warnings into lines of the log. */
export function logConsole(log: Log): void {
	for (const level of ["debug", "info", "warn", "error"] as const) {
		console[level] = (...args: unknown[]) => log[level]({ component: "console" }, format(...args));
	}
	console.log = console.info;
	process.removeAllListeners("warning");
	process.on("warning", (warning) => log.warn({ err: warning }, warning.message));
}

const REPEATS_MS = 60_000;

/**
 * A log that writes a repeated event once, and then once a minute the number of its repetitions, if any.
 * @returns a function to log with; `key` identifies equal events.
 */
export function repeatedLog(log: Log, periodMs = REPEATS_MS) {
	const once = onceAPeriod(periodMs);
	return (key: string, level: "warn" | "error", data: object, message: string): void =>
		once(key, (more) => log[level]({ ...data, ...more }, message));
}

/** @returns what calls `write` at once, and again after each period in which there were more calls with the same key. */
function onceAPeriod(periodMs: number) {
	const repeats = new Map<string, number>();
	return (key: string, write: (more: { repeated?: number }) => void): void => {
		const count = repeats.get(key);
		repeats.set(key, (count ?? -1) + 1);
		if (count !== undefined) return;
		write({});
		const report = () => {
			const repeated = repeats.get(key) ?? 0;
			repeats.delete(key);
			if (repeated === 0) return;
			write({ repeated });
			repeats.set(key, 0);
			setTimeout(report, periodMs).unref();
		};
		setTimeout(report, periodMs).unref();
	};
}
