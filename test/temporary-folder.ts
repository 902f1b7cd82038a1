import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder of the test that calls this, or whose `beforeEach` does; it is removed when the test has finished. */
export async function temporaryFolder(name: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), `tapedeck-${name}-`));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	return folder;
}
