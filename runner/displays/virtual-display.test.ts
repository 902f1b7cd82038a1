/** Virtual displays of real X servers, and of programs that only have the name of one. */
import { once } from "node:events";
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { MAX_DISPLAY_PIXELS } from "@tapedeck/contract/new-display.ts";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startChild } from "../../test/processes/child.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { startVirtualDisplay } from "./virtual-display.ts";
import { openDisplay } from "./x11-setup.ts";

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder("xvfb");
});

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
	vi.stubEnv("TMPDIR", folder);
	onTestFinished(() => void vi.unstubAllEnvs());
	await expect(startVirtualDisplay(MODE, env)).rejects.toThrow("Xvfb ended at once (SIGKILL)");
	expect(await readdir(folder)).toEqual(["Xvfb"]);
});

test("an Xvfb without memory for its screen is refused with its own words", async () => {
	const env = await withXvfb(`ulimit -v 200000; exec "${requireProgram("Xvfb")}" "$@"`);
	const size = { width: MAX_DISPLAY_PIXELS, height: MAX_DISPLAY_PIXELS, depth: 24 } as const;
	await expect(startVirtualDisplay(size, env)).rejects.toThrow(
		"Xvfb ended at once (Couldn't add screen 0); check the machine's memory and /tmp/.X11-unix, then try again.",
	);
});

test("a display leaves the number that another program uses, with a lock or without", async () => {
	const first = await startVirtualDisplay(MODE, process.env);
	await first.stop();
	// It is free now, so the next display would get it.
	const number = first.id.slice(1);
	const other = createServer().listen(`/tmp/.X11-unix/X${number}`);
	await once(other, "listening");
	try {
		const display = await startVirtualDisplay(MODE, process.env);
		expect(display.id).not.toBe(first.id);
		await display.stop();
		expect(await readdir("/tmp/.X11-unix")).toContain(`X${number}`);
	} finally {
		other.close();
	}
	const lock = `/tmp/.X${number}-lock`;
	await writeFile(lock, `${process.pid}\n`.padStart(11), { flag: "wx" });
	try {
		const display = await startVirtualDisplay(MODE, process.env);
		expect(display.id).not.toBe(first.id);
		await display.stop();
	} finally {
		await rm(lock);
	}
});

test("a number whose server was killed is used again", async () => {
	const first = await startVirtualDisplay(MODE, process.env);
	process.kill(Number(await readFile(`/tmp/.X${first.id.slice(1)}-lock`, "latin1")), "SIGKILL");
	await first.ended;
	const second = await startVirtualDisplay(MODE, process.env);
	expect(second.id).toBe(first.id);
	await second.stop();
});

test("processes that start displays at the same time get numbers of their own", async () => {
	const program = join(folder, "start.mjs");
	const module = join(import.meta.dirname, "virtual-display.ts");
	await writeFile(
		program,
		`import { startVirtualDisplay } from ${JSON.stringify(module)};
		const mode = ${JSON.stringify(MODE)};
		const displays = await Promise.all(Array.from({ length: 3 }, () => startVirtualDisplay(mode, process.env)));
		console.log(displays.map(({ id }) => id).join(" ") + " all");
		process.stdin.resume().on("end", () => Promise.all(displays.map((display) => display.stop())).then(() => process.exit()));`,
	);
	const starters = Array.from({ length: 3 }, () =>
		startChild(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] }),
	);
	await Promise.all(starters.map((starter) => starter.says(/all$/m)));
	const ids = starters.flatMap((starter) => starter.output().match(/:\d+/g) ?? []);
	expect(new Set(ids).size).toBe(9);
	for (const { process: starter } of starters) starter.stdin?.end();
	await Promise.all(starters.map(({ exited }) => exited));
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
