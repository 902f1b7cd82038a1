/** The Python client's source. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../../bin/setup/run.mjs";

const PACKAGE = join(root, "clients", "python");

/** Writes the part that builds generate. @returns the folder for PYTHONPATH */
export function pythonClientSource(): string {
	execFileSync("python3", [join(PACKAGE, "scripts", "sync.py")]);
	return join(PACKAGE, "src");
}
