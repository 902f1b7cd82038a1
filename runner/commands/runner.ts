/** `tapedeck runner`: configuration, signals, exit status. */

import { FLAGS, TEMPORARY } from "@tapedeck/machine/runner-variables.ts";
import { Agent } from "../agent.ts";
import { errorMessage, FatalError } from "../base/fault.ts";
import { INSTALLATION, installedCommand } from "../base/installation.ts";
import { lineLog } from "../base/log.ts";
import { readConfig } from "../config/config.ts";
import { ConfigError, environment } from "../config/settings.ts";
import type { DeliveryRules } from "../upload/deliver.ts";

export const help = `usage: tapedeck runner [flags]

Records X11 displays for a Tapedeck dashboard. Each flag can also be set by an environment variable.

${Object.entries(FLAGS)
	.map(([flag, [variable, words]]) => `  --${flag.padEnd(22)} ${variable.padEnd(31)} ${words}`)
	.join("\n")}

exit status: 0 after SIGTERM or SIGINT, 1 if it cannot start or continue
`;

/** Signals closer together count as one: a terminal and a package manager both send them. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Runs a runner until it is stopped.
 * @param deliveryRules the usual ones if omitted.
 * @returns the exit status.
 */
export async function run(argv: readonly string[], deliveryRules?: DeliveryRules): Promise<number> {
	const log = lineLog();
	// A closed standard output must not end the recordings.
	process.stdout.on("error", () => undefined);
	let agent: Agent;
	try {
		const isTemporary = environment()[TEMPORARY] === "true";
		agent = new Agent(readConfig(argv), log, { isTemporary, deliveryRules });
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		for (const { setting, message } of error.problems) log.error(`${setting}: ${message}`);
		return 1;
	}
	let askedAt: number | null = null;
	const onSignal = (signal: NodeJS.Signals) => {
		const now = performance.now();
		if (askedAt === null) {
			askedAt = now;
			log.info(`${signal}: stopping. Recordings end and are uploaded; send it again to exit at once.`);
			agent.leave();
		} else if (now - askedAt >= SAME_SIGNAL_MS) {
			log.warn(`${signal} again: exiting at once. What is not uploaded is kept in the spool.`);
			process.exit(1);
		}
	};
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, onSignal);
	try {
		await agent.run();
		if (agent.restarts) becomeInstalled(argv);
		log.info("Stopped.");
		return 0;
	} catch (error) {
		log.error(error instanceof FatalError ? error.message : `The runner failed unexpectedly: ${errorMessage(error)}`);
		if (!(error instanceof FatalError) && error instanceof Error) log.error(error.stack ?? "");
		return 1;
	}
}

/**
 * Becomes the installed version, by execve: the same process for systemd and for whoever started it. Returns where that
 * is not possible.
 */
function becomeInstalled(argv: readonly string[]): void {
	if (INSTALLATION === null || process.execve === undefined) return;
	const program = installedCommand(INSTALLATION);
	// The compile cache is that of the old version (lean-start.ts).
	const { NODE_COMPILE_CACHE: _cache, ...env } = environment();
	process.execve(program, [program, "runner", ...argv], env as NodeJS.ProcessEnv);
}
