/** The Python packages of a release. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { packPython } from "./python-packages.ts";

test("without a network, a release says what could not be installed, and what pip said", async () => {
	const folder = await temporaryFolder("python");
	const bin = join(folder, ".cache", "python-build", "bin");
	await mkdir(bin, { recursive: true });
	const pip = "#!/bin/sh\necho 'ERROR: No matching distribution found for build' >&2\nexit 1\n";
	await writeFile(join(bin, "python"), pip, { mode: 0o755 });
	await expect(packPython(folder, join(folder, "dist"), "0")).rejects.toThrow(
		/^What builds the Python packages could not be installed\. Check the network, then start again:\nERROR: No matching/,
	);
});
