import { expect, test } from "vitest";
import { EMPTY_VIDEO } from "#components/video/video-values.ts";
import { recordingSettingsOf, recordingValuesOf } from "./recording-settings.ts";

test("settings become text in minutes and come back as they were", () => {
	const settings = {
		...({ keep: "failed", graceSeconds: 90, maxDurationSeconds: 3_600 } as const),
		video: {
			...({ preset: "sharp", framesPerSecond: 30, cursor: false } as const),
			region: { x: 0, y: 10, width: 800, height: 600 },
		},
	};
	expect(recordingValuesOf(settings)).toEqual({
		...{ keep: "failed", graceSeconds: "1.5", maxDurationSeconds: "60" },
		video: { ...EMPTY_VIDEO, preset: "sharp", framesPerSecond: "30", cursor: "false", region: "800x600+0+10" },
	});
	expect(recordingSettingsOf(recordingValuesOf(settings))).toEqual(settings);
	const none = { keep: "always", graceSeconds: 0, maxDurationSeconds: null, video: {} } as const;
	expect(recordingSettingsOf(recordingValuesOf(none))).toEqual(none);
	for (let seconds = 0; seconds < 600; seconds++) {
		const grace = { ...none, graceSeconds: seconds };
		expect(recordingSettingsOf(recordingValuesOf(grace)).graceSeconds).toBe(seconds);
	}
});

test("a grace time that is left blank is not 0, and a blank cap is none", () => {
	const blank = recordingSettingsOf({
		...{ keep: "failed", graceSeconds: "", maxDurationSeconds: " ", video: EMPTY_VIDEO },
	});
	expect(JSON.stringify(blank)).toBe('{"keep":"failed","graceSeconds":null,"maxDurationSeconds":null,"video":{}}');
});
