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

/**
 * @param load loads every module of the program.
 * Returns in the lean process, and wherever the cache cannot be used.
 */
export async function startLean(load: () => Promise<unknown>): Promise<void> {
	if (process.execArgv.length > 0 || process.execve === undefined) return;
	const folder = fileURLToPath(new URL("../node_modules/.cache/tapedeck-runner", import.meta.url));
	try {
		mkdirSync(folder, { recursive: true });
	} catch {
		return; // Code that is not ours to write beside: then it runs as it is.
	}
	const { status } = enableCompileCache(folder);
	if (status !== constants.compileCacheStatus.ENABLED) return;
	await load();
	flushCompileCache();
	// biome-ignore lint/style/noProcessEnv: Node takes the name of the cache from the environment only.
	const env = { ...process.env, NODE_COMPILE_CACHE: folder };
	process.execve(process.execPath, [process.execPath, LEAN_FLAG, ...process.argv.slice(1)], env);
}
