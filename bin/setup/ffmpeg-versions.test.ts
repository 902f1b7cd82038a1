import { globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FFMPEG_TESTS } from "./checks.mjs";
import { ensureFfmpeg } from "./ffmpeg-versions.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("a version that cannot be installed is refused with those that can", async () => {
	await expect(ensureFfmpeg("4.4")).rejects.toThrow("Use one of 5.1, 6.1, 7.1, 8.0, sid.");
});

test.each(FFMPEG_TESTS)("the tests that run with other versions of ffmpeg are there: %s", (path) => {
	const pattern = path.endsWith(".ts") ? path : `${path}*.test.ts`;
	expect(globSync(pattern, { cwd: join(root) })).not.toEqual([]);
});
