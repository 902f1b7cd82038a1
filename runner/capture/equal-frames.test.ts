/** Frames that are equal to the one before are dropped before they are encoded, and only those. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { describe, expect, test } from "vitest";
import { requireProgram } from "../../test/processes/programs.ts";
import { captureFiles } from "../spool/capture-files.ts";
import { captureArguments } from "./ffmpeg.ts";

const SIZE = { width: 96, height: 54 };
const LONGEST_SAME = 5;

/** The filters of a recording's main output. @param frames its length; null for no limit. */
function filtersOf(frames: number | null, framesPerSecond: number): string {
	const screen = {
		xName: ":99.0",
		isBgrx: true,
		isPrivate: false,
		video: videoFormat({ framesPerSecond }),
		area: { x: 0, y: 0, ...SIZE },
	};
	const files = captureFiles("/nowhere", 1);
	const words = captureArguments({ program: "ffmpeg", env: process.env, ...screen, frames, files });
	return words[words.indexOf("-filter:v:0") + 1] ?? "";
}

/**
 * Finds the frames of a screen that are kept, by their number.
 * @param drawing filters that draw it on black.
 * @param options.rate the requested number of frames a second.
 * @param options.captured the number of captured frames a second.
 */
async function kept(
	drawing: string,
	{
		seconds = 20,
		format = "bgra",
		frames = null as number | null,
		rate = 15,
		captured = undefined as number | undefined,
	} = {},
) {
	const source = `color=black:size=${SIZE.width}x${SIZE.height}:rate=${captured ?? rate}:duration=${seconds},format=${format}`;
	const { stdout } = await promisify(execFile)(requireProgram("ffmpeg"), [
		...["-nostdin", "-v", "error", "-f", "lavfi", "-i", [source, drawing].filter(Boolean).join(",")],
		...[
			"-vf",
			filtersOf(frames, rate),
			"-f",
			"framecrc",
			"-fps_mode",
			"passthrough",
			"-enc_time_base",
			`1:${rate}`,
			"-",
		],
	]);
	return stdout
		.split("\n")
		.filter((line) => /^0,/.test(line))
		.map((line) => Number(line.split(",")[2]));
}

/** The rhythm in which an unchanged screen is kept: counted again from every change. */
function withRhythm(changes: readonly number[], total: number, longestSame = LONGEST_SAME): number[] {
	const numbers: number[] = [];
	for (let at = 0, last = -longestSame; at < total; at++) {
		if (!changes.includes(at) && at - last < longestSame) continue;
		numbers.push(at);
		last = at;
	}
	return numbers;
}

/** A filter for one pixel that is white in some frames. @param when expression of the frame's number `n`. */
const pixel = (x: number, y: number, when: string) =>
	`drawbox=x=${x}:y=${y}:w=1:h=1:color=white:t=fill:enable='${when}'`;

test("three frames a second of a screen that never changes are kept", async () => {
	expect(await kept("")).toEqual(withRhythm([], 300));
});

test("every frame of a screen that never changes is kept when it is captured less often than three times a second", async () => {
	// Two seconds lie between two frames, which are at multiples of a fifteenth of a second.
	expect(await kept("", { captured: 0.5 })).toEqual([0, 30, 60, 90, 120, 150, 180, 210, 240, 270]);
});

test.each([
	[1, 1],
	[2, 1],
	[5, 1],
	[10, 3],
	[30, 10],
	[60, 20],
])("at %i frames a second, at least three of them are kept, or all, and each change at its frame", async (rate, longest) => {
	const seconds = 240 / rate;
	const drawing = pixel(48, 27, "eq(n,101)+eq(n,151)");
	const changes = [101, 102, 151, 152];
	expect(await kept(drawing, { rate, seconds })).toEqual(withRhythm(changes, 240, longest));
	const frames = 201;
	expect(await kept("", { rate, seconds, frames })).toEqual([...withRhythm([], frames, longest), frames]);
});

describe("one pixel that changes in one frame of a hundred is kept at exactly its time, wherever it is", () => {
	test.each([
		["in the middle", 48, 27],
		["in the first column", 0, 27],
		["in the last column", SIZE.width - 1, 27],
		["in the first row", 48, 0],
		["in the last row", 48, SIZE.height - 1],
	])("%s", async (_where, x, y) => {
		// Shown in frame 51, removed in frame 52, and so on.
		expect(await kept(pixel(x, y, "eq(mod(n,100),51)"))).toEqual(withRhythm([51, 52, 151, 152, 251, 252], 300));
	});
});

test("the least change of one color is kept", async () => {
	const drawing = "lutrgb=b='if(eq(val,0),0,val)',geq=r=0:g=0:b='if(eq(X,5)*eq(Y,5)*gte(N,51),1,0)'";
	expect(await kept(drawing, { format: "gbrp", seconds: 6 })).toEqual(withRhythm([51], 90));
});

test("constant movement is kept frame by frame: a progress bar, a spinner, a blinking caret", async () => {
	const all = Array.from({ length: 90 }, (_, index) => index);
	const bar = "geq=r='255*lt(X,N)':g=0:b=0";
	expect(await kept(bar, { format: "gbrp", seconds: 6 })).toEqual(all);
	const spinner = "geq=r='255*lt(hypot(X-30-9*cos(N/3),Y-27-9*sin(N/3)),3)':g=0:b=0";
	expect(await kept(spinner, { format: "gbrp", seconds: 6 })).toEqual(all);
	const caret = pixel(20, 20, "lt(mod(n,2),1)");
	expect(await kept(caret, { seconds: 6 })).toEqual(all);
});

test("a screen with 16 bits a pixel is compared as exactly", async () => {
	expect(await kept(pixel(48, 27, "gte(n,51)"), { format: "rgb565le", seconds: 6 })).toEqual(withRhythm([51], 90));
});

test("the end of a duration has its frame although nothing changed", async () => {
	for (const frames of [31, 32, 33, 34]) {
		expect(await kept("", { frames, seconds: 6 })).toEqual([...withRhythm([], frames), frames]);
	}
});
