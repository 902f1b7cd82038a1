/** The images with every version of ffmpeg that they may be built with. */
import { expect, test } from "vitest";
import { startImages } from "#test/processes/images.ts";
import { ensureFfmpeg } from "../bin/setup/ffmpeg-versions.mjs";

/** Debian's releases have 5.1, 7.1 and the newest version. 8.0 comes from elsewhere, on the release of the images. */
const VERSIONS: Readonly<Record<string, { release?: string; ffmpeg?: string }>> = {
	"5.1": { release: "bookworm" },
	"7.1": { release: "trixie" },
	"8.0": { ffmpeg: "8.0" },
	"the newest in Debian": { release: "sid" },
};

test.each(Object.keys(VERSIONS))("the images record with ffmpeg %s", async (name) => {
	const { release, ffmpeg } = VERSIONS[name] ?? {};
	const programs = ffmpeg === undefined ? undefined : await ensureFfmpeg(ffmpeg);
	const images = await startImages({ release, programs });
	try {
		for (const { run } of [images.runner, images.dashboard]) {
			const [, version = ""] = /^ffmpeg version n?([\d.]+)/.exec((await run("ffmpeg -version")).output) ?? [];
			if (/^\d/.test(name)) expect(`${version}.`.startsWith(`${name}.`), version).toBe(true);
			else expect(Number(version.split(".")[0])).toBeGreaterThanOrEqual(8);
		}
		expect(await images.record(2)).toMatchObject({ status: "completed", recording: { durationSeconds: 2 } });
	} finally {
		await images.stop();
	}
});
