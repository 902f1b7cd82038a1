/** Node's compile cache: a program that is started again loads its modules in half of the time. */
import { mkdirSync } from "node:fs";
import { constants, enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

type Program = "dashboard" | "runner";

/** The folder in which a program keeps its compiled code. */
export const compiledFolder = (program: Program): string =>
	fileURLToPath(new URL(`../node_modules/.cache/tapedeck-${program}`, import.meta.url));

/**
 * Keeps what is compiled from now on: a program calls it before it loads its modules.
 * @returns false when the folder cannot be used.
 */
export function keepCompiled(program: Program): boolean {
	const folder = compiledFolder(program);
	try {
		mkdirSync(folder, { recursive: true });
	} catch {
		return false; // The program's folder is not writable.
	}
	const { status, directory } = enableCompileCache(folder);
	const { ENABLED, ALREADY_ENABLED } = constants.compileCacheStatus;
	// The command as it is shipped is started with its cache.
	return status === ENABLED || (status === ALREADY_ENABLED && directory?.startsWith(folder) === true);
}
