/** `tapedeck display`, with real X servers. */
import { mkdir, mkdtemp, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startCommand, tapedeck } from "../../test/processes/tapedeck-command.ts";
import { processesWith, removeFolder } from "../../test/runners/runner-process.ts";
import { until } from "../../test/wait.ts";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-display-test-"));
});
afterEach(() => removeFolder(folder));

const GRAB = 'ffmpeg -v error -f x11grab -i "$DISPLAY" -frames:v 1 -f null - && echo shown';

test("the command has a display of the size, which is gone when it has ended, and its status counts", async () => {
	const script = `${GRAB}; ffprobe -v error -f x11grab -show_entries stream=width,height -of csv "$DISPLAY"; exit 7`;
	const { status, text } = await tapedeck(["display", "--size", "400x304", "--", "sh", "-c", script], {
		TMPDIR: folder,
	});
	expect(status, text).toBe(7);
	expect(text).toContain("shown\n");
	expect(text).toContain("stream,400,304");
	expect(await readdir(folder)).toEqual([]);
	expect(await processesWith(folder)).toEqual([]);
});

test("the display has the size and the depth of the runner's displays when the command names none", async () => {
	const script = 'ffprobe -v error -f x11grab -show_entries stream=width,height,pix_fmt -of csv "$DISPLAY"';
	const words = ["display", "--", "sh", "-c", script];
	const { text } = await tapedeck(words, { TAPEDECK_VIRTUAL_DISPLAY_SIZE: "400x304x16" });
	expect(text).toContain("stream,400,304,rgb565le");
	const wrong = await tapedeck(words, { TAPEDECK_VIRTUAL_DISPLAY_SIZE: "400x304x8" });
	expect(wrong.status, wrong.text).toBe(2);
	expect(wrong.text).toContain("TAPEDECK_VIRTUAL_DISPLAY_SIZE: Use a size in pixels");
});

test("the command is not shown in the Wayland session from which it is started", async () => {
	const script = 'echo "shown on $DISPLAY, $XDG_SESSION_TYPE, $(printenv WAYLAND_DISPLAY || echo no socket)"';
	const session = { DISPLAY: ":9876", WAYLAND_DISPLAY: "wayland-0", XDG_SESSION_TYPE: "wayland" };
	const { text } = await tapedeck(["display", "--size", "320x240", "--", "sh", "-c", script], session);
	expect(text).toMatch(/^shown on :\d{1,3}, x11, no socket$/m);
});

test("a command line that is wrong is refused before anything runs", async () => {
	for (const words of [
		[],
		["--size", "1x1", "--", "true"],
		["--size", "9000x720", "--", "true"],
		["--size", "big", "--", "true"],
	]) {
		const { status, text } = await tapedeck(["display", ...words]);
		expect(status, `${words.join(" ")}: ${text}`).toBe(2);
	}
});

test("without Xvfb, it says how to install it and does not run the command", async () => {
	const programs = join(folder, "bin");
	await mkdir(programs);
	for (const name of ["sh", "readlink", "dirname", "cut"]) await symlink(`/usr/bin/${name}`, join(programs, name));
	const env = { PATH: `${programs}:${join(process.execPath, "..")}` };
	const { status, text } = await tapedeck(["display", "--", "/bin/echo", "ran"], env);
	expect(status, text).toBe(1);
	expect(text).toContain("apt-get install xvfb");
	expect(text).not.toContain("ran");
});

test("a signal is the command's, and its display ends with it", async () => {
	const run = startCommand(
		["display", "--", "sh", "-c", 'trap "exit 5" TERM; echo ready; while :; do sleep 0.1; done'],
		{
			TMPDIR: folder,
		},
	);
	await run.says("ready");
	run.process.kill("SIGTERM");
	expect(await run.exited, run.output()).toBe(5);
	await until(async () => (await readdir(folder)).length === 0, "its cookie is gone");
	expect(await processesWith(folder)).toEqual([]);
});
