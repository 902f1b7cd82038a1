/** Writes the command as it is shipped into `command/`, from where a dashboard installs it on runners. Part of the build. */
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeCommandProgram } from "./command-package.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "command");
const partial = `${folder}.${process.pid}`;

await writeCommandProgram(root, partial);
await rm(folder, { recursive: true, force: true });
await rename(partial, folder);
