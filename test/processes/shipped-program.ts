/**
 * Vitest's global setup: makes the `tapedeck` command as it is shipped, in one file, for the tests that start it. As
 * sources, a runner takes twice the processor time to start.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "@tapedeck/contract/version.ts";
import { placeCommand, writeCommandPackage } from "../../release/command-package.ts";
import { SHIPPED } from "./tapedeck-command.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** @returns a function that removes it. */
export async function setup(): Promise<() => Promise<void>> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-shipped-"));
	await writeCommandPackage(ROOT, folder, VERSION);
	// Dashboards of tests install runners with it, whether or not the sources have been built.
	await placeCommand(ROOT, join(folder, "dist"));
	const command = join(folder, "dist", "tapedeck");
	// Tests change the search path, where the package's own command looks for Node.
	await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${command}.cjs' "$@"\n`, { mode: 0o755 });
	process.env[SHIPPED] = command;
	return () => rm(folder, { recursive: true, force: true });
}
