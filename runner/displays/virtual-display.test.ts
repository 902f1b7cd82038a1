/** Virtual displays of real X servers, and of programs that only have the name of one. */
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_DISPLAY_PIXELS } from "@tapedeck/contract/new-display.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startVirtualDisplay } from "./virtual-display.ts";
import { openDisplay } from "./x11-setup.ts";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-xvfb-"));
});
afterEach(() => rm(folder, { recursive: true }));

const MODE = { width: 320, height: 240, depth: 24 } as const;

/** An environment in which Xvfb is this shell script. */
async function withXvfb(script: string): Promise<NodeJS.ProcessEnv> {
	const program = join(folder, "Xvfb");
	await writeFile(program, `#!/bin/sh\n${script}\n`);
	await chmod(program, 0o755);
	return { ...process.env, PATH: `${folder}:${process.env.PATH}` };
}

test("an Xvfb that is too old to choose its number is refused with its own words", async () => {
	const env = await withXvfb('echo "Unrecognized option: -displayfd" >&2; exit 1');
	await expect(startVirtualDisplay(MODE, env)).rejects.toThrow(
		"Xvfb ended at once (Unrecognized option: -displayfd); check the machine's memory and /tmp/.X11-unix, then try again.",
	);
});

test("an Xvfb that is killed while it starts is refused, and leaves no cookie", async () => {
	const env = await withXvfb("kill -KILL $$");
	const temporary = process.env.TMPDIR;
	process.env.TMPDIR = folder;
	try {
		await expect(startVirtualDisplay(MODE, env)).rejects.toThrow("Xvfb ended at once (SIGKILL)");
	} finally {
		if (temporary === undefined) delete process.env.TMPDIR;
		else process.env.TMPDIR = temporary;
	}
	expect(await readdir(folder)).toEqual(["Xvfb"]);
});

test("the largest display starts", async () => {
	const size = { width: MAX_DISPLAY_PIXELS, height: MAX_DISPLAY_PIXELS };
	const display = await startVirtualDisplay({ ...size, depth: 24 }, process.env);
	try {
		const number = Number(display.id.slice(1));
		const listener = { resized: () => undefined, closed: () => undefined };
		const connection = await openDisplay({ host: null, number, screen: 0 }, { xauthority: "" }, listener);
		expect(connection).toMatchObject(size);
		connection.close();
	} finally {
		await display.stop();
	}
});
