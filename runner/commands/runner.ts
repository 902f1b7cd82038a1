/** `tapedeck runner`: configuration, signals, exit status. */
import { Agent } from "../agent.ts";
import { readConfig } from "../config/config.ts";
import { FatalError, lineLog, wordsOf } from "../log.ts";
import { ConfigError, FLAGS } from "../config/settings.ts";

export const help = `usage: tapedeck runner [flags]

Records X11 displays for a Tapedeck dashboard. Every flag can be given as a variable of the environment.

${Object.entries(FLAGS)
	.map(([flag, [variable, words]]) => `  --${flag.padEnd(22)} ${variable.padEnd(31)} ${words}`)
	.join("\n")}

exit status: 0 after SIGTERM or SIGINT, 1 when something has to be mended first
`;

/** Signals closer together are one: a terminal and a package manager both pass them on. */
const SAME_SIGNAL_MS = 1_000;

/** Runs a runner until it is asked to go. @returns the exit status. */
export async function run(argv: readonly string[]): Promise<number> {
	const log = lineLog();
	// Whoever read the log may go; the recordings do not end with it.
	process.stdout.on("error", () => undefined);
	let agent: Agent;
	try {
		agent = new Agent(readConfig(argv), log);
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		for (const problem of error.problems) log.error(problem);
		return 1;
	}
	let askedAt: number | null = null;
	const onSignal = (signal: NodeJS.Signals) => {
		const now = performance.now();
		if (askedAt === null) {
			askedAt = now;
			log.info(`${signal}: ending the recordings and delivering them; once more to leave at once.`);
			agent.leave();
		} else if (now - askedAt >= SAME_SIGNAL_MS) {
			log.warn(`${signal} again: leaving at once; what is not delivered is kept in the spool.`);
			process.exit(1);
		}
	};
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, onSignal);
	try {
		await agent.run();
		log.info("Stopped.");
		return 0;
	} catch (error) {
		log.error(error instanceof FatalError ? error.message : `Something broke in the runner: ${wordsOf(error)}`);
		if (!(error instanceof FatalError) && error instanceof Error) log.error(error.stack ?? "");
		return 1;
	}
}
