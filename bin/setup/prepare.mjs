/** Installs what `npm run up` and the tests need. */
import { ensureNodePackages } from "./node-packages.mjs";
import { Remedy } from "./remedy.mjs";
import { ensurePrograms } from "./system-packages.mjs";

/** @throws Remedy that names the missing programs and how to get them. */
export async function prepare(programs) {
	if (process.platform !== "linux") {
		throw new Remedy("Tapedeck records X11 displays on Linux: run it on a Linux machine or in a Linux container.");
	}
	await ensurePrograms(programs);
	await ensureNodePackages();
}
