/**
 * A runner stands beside browsers for weeks, so its memory counts. What Node loads to take the types out of
 * TypeScript costs 30 MB for as long as the process lives. So the first process fills the compile cache, and
 * then becomes (same pid, same standard output) one that finds everything there and never loads it.
 */
import { mkdirSync } from "node:fs";
import { constants, enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/** Young objects are few and short-lived: more room for them only delays giving memory back. */
const LEAN_FLAG = "--max-semi-space-size=1";

/** What a container's first process becomes: see there. */
export const INIT_SCRIPT = fileURLToPath(new URL("../init.sh", import.meta.url));

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/tapedeck-runner", import.meta.url));

/**
 * @param load loads every module of the program.
 * Returns in the lean process, and wherever the cache cannot be used.
 */
export async function startLean(load: () => Promise<unknown>): Promise<void> {
	if (process.execve === undefined) return;
	if (process.execArgv.length > 0 || !keepCompiled()) {
		if (process.pid === 1) become(process.execArgv);
		return;
	}
	await load();
	flushCompileCache();
	become([LEAN_FLAG], { NODE_COMPILE_CACHE: CACHE });
}

/** Keeps compiled code for the next start. @returns false where it cannot be kept. */
export function keepCompiled(): boolean {
	try {
		mkdirSync(CACHE, { recursive: true });
	} catch {
		return false; // Code that is not ours to write beside: then it runs as it is.
	}
	return enableCompileCache(CACHE).status === constants.compileCacheStatus.ENABLED;
}

function become(flags: readonly string[], more: Record<string, string> = {}): void {
	const program = [process.execPath, ...flags, ...process.argv.slice(1)];
	const words = process.pid === 1 ? ["/bin/sh", INIT_SCRIPT, ...program] : program;
	// biome-ignore lint/style/noProcessEnv: Node takes the name of the cache from the environment only.
	process.execve?.(words[0] ?? "", words, { ...process.env, ...more });
}
