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

export const createLogger = (level: Env["logLevel"]): Log =>
	pino({
		level,
		base: null,
		timestamp: pino.stdTimeFunctions.isoTime,
		redact: { paths: SECRET_PATHS, censor: "[hidden]" },
	});
