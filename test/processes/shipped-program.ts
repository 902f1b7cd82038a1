/**
 * Vitest's global setup: makes the `tapedeck` command as it is shipped, in one file, for the tests that start it. As
 * sources, a runner takes twice the processor time to start.
 */
import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "@tapedeck/contract/version.ts";
import { writeCommandPackage } from "../../release/command-package.ts";
import { SHIPPED } from "./tapedeck-command.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** @returns a function that removes it. */
export async function setup(): Promise<() => Promise<void>> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-shipped-"));
	await writeCommandPackage(ROOT, folder, VERSION);
	await placeCommand(folder);
	const command = join(folder, "dist", "tapedeck");
	// Tests change the search path, where the package's own command looks for Node.
	await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${command}.mjs' "$@"\n`, { mode: 0o755 });
	process.env[SHIPPED] = command;
	return () => rm(folder, { recursive: true, force: true });
}

/** Dashboards of tests install runners with it: those of the sources, whether or not they have been built. */
async function placeCommand(folder: string): Promise<void> {
	const partial = join(ROOT, `command.${process.pid}`);
	await cp(join(folder, "dist"), partial, { recursive: true });
	await rm(join(ROOT, "command"), { recursive: true, force: true });
	await rename(partial, join(ROOT, "command"));
}
