import { expect, test } from "vitest";
import { planOf } from "#test/lanes.ts";
import { ensureFfmpeg } from "./ffmpeg-versions.mjs";

test("an unknown version is refused with those that there are", async () => {
	await expect(ensureFfmpeg("4.4")).rejects.toThrow(
		"There is no ffmpeg 4.4 for tests. Use one of 5.1, 6.1, 7.1, 8.0, sid.",
	);
});

test("captures, excerpts and uploads run with other versions, quick ones at each landing", () => {
	const landing = planOf("landing").withFfmpeg.plain ?? [];
	const explore = Object.values(planOf("explore").withFfmpeg).flat();
	for (const file of ["runner/capture/ffmpeg", "lib/recordings/pictures/grab-frame"]) {
		expect(landing).toContain(`${file}.test.ts`);
	}
	expect(explore).toEqual(expect.arrayContaining(landing));
	for (const file of ["runner/video/parts.test.ts", "lib/recordings/excerpts/make-clip.test.ts"]) {
		expect(explore).toContain(file);
	}
});
