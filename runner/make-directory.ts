/** Makes a directory and those above it. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Like `mkdir -p`. Node's own `recursive` never returns for a path below a directory that takes no entries and
 * says ENOENT for it, such as /proc: it tries the parent, finds it there, and begins again.
 *
 * @throws the first error that is not "it exists".
 */
export function makeDirectory(path: string): void {
	const above = dirname(path);
	try {
		mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "EEXIST") return;
		if (code !== "ENOENT" || above === path) throw error;
		makeDirectory(above);
		mkdirSync(path, { mode: 0o700 });
	}
}
