/**
 * A runner runs next to browsers for weeks, so its memory counts: it becomes (by execve: same pid, same standard output)
 * a process with V8's flags for a small heap. As sources, it also needs Node's type stripper, which takes 30 MB for as
 * long as the process lives. So the first process fills the compile cache, in which the second one finds everything
 * without the type stripper. The command as it is shipped has no types.
 */
import { flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { compiledFolder, keepCompiled } from "@tapedeck/machine/compile-cache.ts";
import { RUNNER_FLAGS } from "@tapedeck/machine/v8-flags.ts";

/** Becomes process 1 of a container; see the script. */
export const INIT_SCRIPT = fileURLToPath(new URL("./init.sh", import.meta.url));

const IS_SOURCE = import.meta.url.endsWith(".ts");

/**
 * Returns in the lean process, and wherever the cache cannot be used.
 * @param load loads every module of the program.
 */
export async function startLean(load: () => Promise<unknown>): Promise<void> {
	if (process.execve === undefined) return;
	if (process.execArgv.length > 0 || !keepCompiled("runner")) {
		if (process.pid === 1) become(process.execArgv);
		return;
	}
	if (IS_SOURCE) {
		await load();
		flushCompileCache();
	}
	become(RUNNER_FLAGS, { NODE_COMPILE_CACHE: compiledFolder("runner") });
}

function become(flags: readonly string[], more: Record<string, string> = {}): void {
	const program = [process.execPath, ...flags, ...process.argv.slice(1)];
	const argv = process.pid === 1 ? ["/bin/sh", INIT_SCRIPT, ...program] : program;
	// biome-ignore lint/style/noProcessEnv: Node reads the cache's path from the environment only.
	process.execve?.(argv[0] ?? "", argv, { ...process.env, ...more });
}
