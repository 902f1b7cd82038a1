import { expect, test } from "vitest";
import type { Frame } from "#test/counter/read-video.ts";
import { checkRecording, missing, type RecordingInput, uncovered } from "./check-recording.ts";

const STARTED = 10_000;
const FRAME_MS = 1_000 / 15;
/** A display that shows a new number every 40 ms for two minutes. */
const painted = Array.from({ length: 3_000 }, (_, index) => index * 40);

/** A recording of ten seconds without a fault: each frame shows the number that was painted last. */
const frames = (count = 150): Frame[] =>
	Array.from({ length: count }, (_, index) => {
		const at = Math.round(index * FRAME_MS);
		return { at, counter: Math.floor((STARTED + at) / 40) * 40 };
	});

const holesIn = (shown: readonly Frame[]) =>
	shown.flatMap(({ at }, index) => {
		const to = shown[index + 1]?.at ?? 0;
		return to - at > 1_000 ? [{ from: at + FRAME_MS, to }] : [];
	});

const input = (changes: Partial<RecordingInput> = {}): RecordingInput => ({
	lengthMs: ((changes.frames ?? frames()).at(-1)?.at ?? 0) + FRAME_MS,
	// Frames that a test leaves out are reported as stalls unless it says otherwise.
	stalls: holesIn(changes.frames ?? frames()),
	frames: frames(),
	complaints: "",
	startedAt: STARTED,
	durationSeconds: 10,
	painted,
	allowed: [],
	end: { from: STARTED + 10_000, to: STARTED + 11_000 },
	askedSeconds: 10,
	...changes,
});

const without = (from: number, to: number): Frame[] => frames().filter(({ at }) => at < from || at >= to);

test("a whole recording is whole", () => {
	const result = checkRecording(input());
	expect(result.faults).toEqual([]);
	expect(result).toMatchObject({ lostWithin: 0, lostBeyond: 0 });
	expect(result.seconds).toBeCloseTo(10, 1);
});

test("a gap that no rule allows is reported with its place, and counts as lost", () => {
	const result = checkRecording(input({ frames: without(4_000, 6_000) }));
	expect(result.faults).toEqual([expect.stringMatching(/^in it 1[34]\.\d\d s to 1[56]\.\d\d s is missing/)]);
	expect(result.lostBeyond).toBeGreaterThan(1.8);
	expect(result.lostWithin).toBe(0);
});

test("a gap that a rule allows is lost within the rules, and only as far as the rule goes", () => {
	const gap = without(4_000, 6_000);
	const whole = checkRecording(input({ frames: gap, allowed: [{ from: 13_900, to: 16_100 }] }));
	expect(whole.faults).toEqual([]);
	expect(whole.lostWithin).toBeGreaterThan(1.8);
	const half = checkRecording(input({ frames: gap, allowed: [{ from: 13_900, to: 15_000 }] }));
	expect(half.faults).toHaveLength(1);
	expect(half.lostWithin).toBeGreaterThan(0.8);
	expect(half.lostBeyond).toBeGreaterThan(0.8);
});

test("frames that the display itself did not show are not missing", () => {
	const still = painted.filter((at) => at < 13_950 || at > 15_950);
	expect(checkRecording(input({ frames: without(4_000, 6_000), painted: still })).faults).toEqual([]);
});

test("frames show the number that the display showed meanwhile, however late the next one was painted", () => {
	const still = painted.filter((at) => at <= 14_000 || at > 14_700);
	const shown = frames().map((frame) => {
		const instant = STARTED + frame.at;
		return instant > 14_000 && instant < 14_720 ? { ...frame, counter: 14_000 } : frame;
	});
	expect(checkRecording(input({ frames: shown, painted: still })).faults).toEqual([]);
	expect(checkRecording(input({ frames: shown })).faults).toContainEqual(
		expect.stringMatching(/^at 4\.\d\d s it shows 14\.00 s, which was 4\.00 s after its first frame/),
	);
});

test("a missing end is reported, and a late one too", () => {
	const short = checkRecording(input({ frames: frames(120), durationSeconds: 8, askedSeconds: null }));
	expect(short.faults).toEqual([expect.stringContaining("at its end")]);
	expect(short.lostBeyond).toBeGreaterThan(1.8);
	const long = checkRecording(input({ end: { from: 15_000, to: 16_000 } }));
	expect(long.faults).toEqual([expect.stringContaining("had to end by 16.00 s")]);
});

test("frames out of order, a timeline that stands still or does not fit are reported", () => {
	const back = frames();
	back[60] = { at: back[60]?.at ?? 0, counter: (back[60]?.counter ?? 0) - 400 };
	expect(checkRecording(input({ frames: back })).faults).toEqual([expect.stringContaining("which came before")]);
	const still = frames();
	still[60] = { at: still[59]?.at ?? 0, counter: still[60]?.counter ?? null };
	expect(checkRecording(input({ frames: still })).faults).toEqual([expect.stringContaining("does not go on")]);
	const shifted = checkRecording(input({ startedAt: STARTED + 850 }));
	expect(shifted.faults).toEqual([expect.stringContaining("after its first frame")]);
	expect(shifted.drift).toBeGreaterThan(800);
});

test("gaps that were closed up instead of kept on the timeline are reported", () => {
	const closed = without(4_000, 6_000).map(({ counter }, index) => ({ at: Math.round(index * FRAME_MS), counter }));
	const result = checkRecording(input({ frames: closed, allowed: [{ from: 13_500, to: 16_500 }], askedSeconds: null }));
	expect(result.faults.join()).toContain("after its first frame");
});

test("a length that is neither the reported nor the requested one is reported", () => {
	expect(checkRecording(input({ durationSeconds: 10.4 })).faults).toEqual([
		expect.stringContaining("the dashboard says 10.4 s"),
	]);
	expect(checkRecording(input({ askedSeconds: 11 })).faults).toEqual([expect.stringContaining("11 s were asked for")]);
});

test("complaints of the decoder, and frames that cannot be read, are reported", () => {
	expect(checkRecording(input({ complaints: "error while decoding MB 3 4\nmore" })).faults).toEqual([
		"decoding it complains: error while decoding MB 3 4",
	]);
	const dark = frames().map((frame, index) => (index % 20 === 0 ? { ...frame, counter: null } : frame));
	expect(checkRecording(input({ frames: dark })).faults).toEqual([expect.stringContaining("8 of 150 frames")]);
	expect(checkRecording(input({ frames: [] })).faults).toEqual(["no frame of it can be read"]);
});

test("missing frames lie between shown ones", () => {
	expect(missing(painted, 13_960, 16_000)).toEqual({ from: 14_000, to: 15_960 });
	expect(missing(painted, 13_960, 14_200)).toBeNull();
	expect(missing([], 0, 10_000)).toBeNull();
});

test("spans that overlap cover a stretch once", () => {
	const span = { from: 0, to: 100 };
	expect(uncovered(span, [])).toBe(100);
	expect(
		uncovered(span, [
			{ from: 50, to: 70 },
			{ from: -10, to: 20 },
			{ from: 10, to: 60 },
		]),
	).toBe(30);
	expect(uncovered(span, [{ from: -1, to: Infinity }])).toBe(0);
});

test("a stall has to be reported, and nothing else as one", () => {
	const gap = { frames: without(4_000, 6_000), allowed: [{ from: 13_900, to: 16_100 }] };
	expect(checkRecording(input(gap)).faults).toEqual([]);
	expect(checkRecording(input({ ...gap, stalls: [] })).faults).toEqual([
		"it shows one frame from 4.00 s to 6.00 s, and no stall is reported",
	]);
	const elsewhere = [{ from: 7_000, to: 9_000 }];
	expect(checkRecording(input({ stalls: elsewhere })).faults).toEqual([
		"a stall from 7.00 s to 9.00 s is reported that is not in it",
	]);
});

test("after a pause one frame may show what was held, and none before it what came after", () => {
	const pause = { allowed: [{ from: 13_900, to: 16_100 }] };
	const paused = without(4_000, 6_000);
	const resumed = paused.findIndex(({ at }) => at >= 6_000);
	const shifted = (index: number, by: number) =>
		paused.map((frame, place) => (place === index ? { ...frame, counter: (frame.counter ?? 0) + by } : frame));
	expect(checkRecording(input({ ...pause, frames: shifted(resumed, -1_950) })).faults).toEqual([]);
	expect(checkRecording(input({ ...pause, frames: shifted(resumed + 1, -1_950) })).faults).not.toEqual([]);
	expect(checkRecording(input({ ...pause, frames: shifted(resumed - 1, 1_950) })).faults).not.toEqual([]);
});

test("a last frame that is held until the end counts for as long as it is held", () => {
	const held = { frames: frames(60), lengthMs: 10_000, allowed: [{ from: 13_900, to: 20_100 }] };
	expect(checkRecording(input({ ...held, stalls: [{ from: 4_000, to: 10_000 }] })).faults).toEqual([]);
	expect(checkRecording(input(held)).faults).toEqual([
		"it shows one frame from 4.00 s to 10.00 s, and no stall is reported",
	]);
});
