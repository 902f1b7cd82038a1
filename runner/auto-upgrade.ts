/** Follows the dashboard's version (TAPEDECK_AUTO_UPGRADE): calls `tapedeck upgrade` while the runner has nothing to do. */
import { execFile } from "node:child_process";
import { whyNotAsRoot } from "./base/foreign-files.ts";
import { INSTALLATION, installedCommand } from "./base/installation.ts";
import type { RunnerLog } from "./base/log.ts";
import { pause } from "./base/wait.ts";

/** Interval between checks of the dashboard's version; the first check follows the sign-in. */
const CHECK_MS = 5 * 60_000;
/** A download that takes longer has failed. */
const UPGRADE_TIMEOUT_MS = 10 * 60_000;

interface AutoUpgradeTools {
	dataDir: string;
	log: RunnerLog;
	/** Resolves when the runner has no job. */
	idle(): Promise<void>;
}

/** Runs until aborted. What hinders an upgrade is logged once, until it is something else; the runner works on as it is. */
export async function autoUpgrade({ dataDir, log, idle }: AutoUpgradeTools, closed: AbortSignal): Promise<void> {
	if (INSTALLATION === null) {
		log.warn("TAPEDECK_AUTO_UPGRADE has no effect: only a runner that install.sh has installed can upgrade itself.");
		return;
	}
	const program = installedCommand(INSTALLATION);
	let known: string | null = null;
	while (!closed.aborted) {
		await idle();
		if (closed.aborted) return;
		const why = whyNotAsRoot(program);
		const problem =
			why === null
				? await upgrade(program, dataDir, closed)
				: `${why}. Run the runner as the user who owns the installation.`;
		if (problem !== null && problem !== known && !closed.aborted) {
			log.warn(`The runner keeps its version: ${problem}`);
		}
		known = problem;
		// Not all runners at once.
		await pause(CHECK_MS * (0.5 + Math.random()), closed);
	}
}

/** Upgrades; the command asks this runner to restart when it is idle. @returns a sentence if that failed, or null. */
function upgrade(program: string, dataDir: string, signal: AbortSignal): Promise<string | null> {
	const { promise, resolve } = Promise.withResolvers<string | null>();
	const options = { signal, timeout: UPGRADE_TIMEOUT_MS };
	execFile(program, ["upgrade", "--data-dir", dataDir], options, (error, _stdout, stderr) => {
		resolve(error === null ? null : stderr.trim().split("\n").at(-1) || error.message);
	});
	return promise;
}
