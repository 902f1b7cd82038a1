import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newFolder, removeFolder } from "../../test/runners/runner-process.ts";
import { checkFfmpeg } from "./ffmpeg-check.ts";

let folder: string;
beforeAll(async () => {
	folder = await newFolder();
});
afterAll(() => removeFolder(folder));

/** A program that states this version, and has all that a recording needs. */
async function ffmpegOf(version: string): Promise<string> {
	const program = join(folder, `ffmpeg-${version}`);
	const text = `ffmpeg version ${version} Copyright (c) 2000-2026 the FFmpeg developers\n x11grab libx264`;
	await writeFile(program, `#!/bin/sh\necho '${text}'\n`);
	await chmod(program, 0o755);
	return program;
}

test.each([
	"5.1.9-0+deb12u1",
	"6.1.1",
	"n7.1",
	"10.0",
	"N-121000-g0123456789",
])("ffmpeg %s can record", async (version) => {
	expect(await checkFfmpeg(await ffmpegOf(version), process.env)).toContain(`ffmpeg version ${version}`);
});

test.each([
	"4.4.2-0ubuntu0.22.04.1",
	"n5.0",
])("ffmpeg %s is refused with the version that is needed", async (version) => {
	await expect(checkFfmpeg(await ffmpegOf(version), process.env)).rejects.toMatchObject({
		message: expect.stringContaining(`ffmpeg version ${version} is too old: 5.1 or later is needed`),
	});
});

test("an ffmpeg that lacks libx264 is refused with its name", async () => {
	const program = join(folder, "incomplete");
	await writeFile(program, "#!/bin/sh\necho 'ffmpeg version 7.1 Copyright'\necho x11grab\n");
	await chmod(program, 0o755);
	await expect(checkFfmpeg(program, process.env)).rejects.toThrow("was built without libx264");
});
