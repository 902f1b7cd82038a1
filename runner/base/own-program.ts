/** The file that Node runs for the tapedeck command: cli.ts, or in the npm package the file that has all modules. */
import { join } from "node:path";

export const OWN_PROGRAM = import.meta.filename.endsWith(".ts")
	? join(import.meta.dirname, "..", "cli.ts")
	: import.meta.filename;
