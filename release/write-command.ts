/** Writes the command as it is shipped into `command/`, from where a dashboard installs it on runners. Part of the build. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeCommand, writeCommandProgram } from "./command-package.ts";

const root = join(import.meta.dirname, "..");
const folder = await mkdtemp(join(tmpdir(), "tapedeck-command-"));
try {
	await writeCommandProgram(root, folder);
	await placeCommand(root, folder);
} finally {
	await rm(folder, { recursive: true });
}
