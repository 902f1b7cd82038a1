import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a directory and its parents, like `mkdir -p`. Node's own `recursive` never returns for a path below a
 * directory that cannot hold entries and reports ENOENT, such as /proc: it tries the parent, finds it exists, and
 * starts over.
 *
 * @throws the first error other than EEXIST.
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
