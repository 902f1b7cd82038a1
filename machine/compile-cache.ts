/** Node's compile cache: a program that is started again loads its modules in half of the time. */
import { mkdirSync } from "node:fs";
import { constants, enableCompileCache } from "node:module";

/**
 * Keeps what is compiled from now on: a program calls it before it loads its modules.
 * @returns false when the folder cannot be used.
 */
export function keepCompiled(folder: string): boolean {
	try {
		mkdirSync(folder, { recursive: true });
	} catch {
		return false; // The program's folder is not writable.
	}
	return enableCompileCache(folder).status === constants.compileCacheStatus.ENABLED;
}
