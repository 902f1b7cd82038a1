/** Makes a directory and those above it. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Like `mkdir -p`. Node's own `recursive` never returns for a path below a directory that takes no entries and
 * says ENOENT for it, such as /proc: it tries the parent, finds it there, and begins again.
 *
 * @throws the first error that is not "it exists".
 */
export async function makeDirectory(path: string, mode = 0o700): Promise<void> {
	const above = dirname(path);
	try {
		await mkdir(path, { mode });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "EEXIST") return;
		if (code !== "ENOENT" || above === path) throw error;
		await makeDirectory(above, mode);
		await mkdir(path, { mode });
	}
}
