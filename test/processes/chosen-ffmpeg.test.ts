import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chooseFfmpeg } from "./chosen-ffmpeg.ts";
import { requireProgram } from "./programs.ts";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-ffmpeg-"));
});
afterEach(async () => {
	vi.unstubAllEnvs();
	await rm(folder, { recursive: true });
});

const add = async (program: string) => {
	await writeFile(join(folder, program), "#!/bin/sh\n");
	await chmod(join(folder, program), 0o755);
};

test("tests use the ffmpeg of a chosen folder, once, however often it is chosen", async () => {
	await add("ffmpeg");
	await add("ffprobe");
	vi.stubEnv("TAPEDECK_TEST_FFMPEG", folder);
	vi.stubEnv("PATH", process.env.PATH ?? "");
	chooseFfmpeg();
	chooseFfmpeg();
	expect(requireProgram("ffmpeg")).toBe(join(folder, "ffmpeg"));
	expect(process.env.PATH?.split(delimiter).filter((other) => other === folder)).toHaveLength(1);
});

test("a chosen folder without ffprobe is an error, because the tests would use another version", async () => {
	await add("ffmpeg");
	vi.stubEnv("TAPEDECK_TEST_FFMPEG", folder);
	expect(() => chooseFfmpeg()).toThrow("has no ffprobe that can be executed");
});
