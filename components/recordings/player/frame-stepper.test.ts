import { expect, onTestFinished, test } from "vitest";
import { FrameStepper } from "./frame-stepper.ts";

type FrameCallback = (now: number, frame: { mediaTime: number; presentationTime: number }) => void;

/** A <video> that shows frames at the given times, a moment after each seek. Node has none of its own. */
class FakeVideo extends EventTarget {
	readonly buffered = { length: 0 };
	readonly duration: number;
	readonly #frames: readonly number[];
	#callback: FrameCallback | null = null;
	#time = 0;
	isPlaying = true;
	seeking = false;
	readyState = 4;
	seeks = 0;

	constructor(frames: readonly number[], duration: number) {
		super();
		this.#frames = frames;
		this.duration = duration;
	}

	get currentTime(): number {
		return this.#time;
	}

	set currentTime(seconds: number) {
		const isElsewhere = seconds !== this.#time || this.seeks === 0;
		this.#time = seconds;
		// Before it has loaded, that is where it will begin.
		if (this.readyState === 0) return;
		this.seeks += 1;
		this.seeking = true;
		this.dispatchEvent(new Event("seeking"));
		const presentedAt = performance.now();
		setImmediate(() => {
			this.seeking = false;
			this.dispatchEvent(new Event("seeked"));
			// Chromium shows nothing anew on a seek to where it is.
			if (isElsewhere) this.present(this.frame, presentedAt);
		});
		// A busy browser has presented the frame before the call returns.
		while (performance.now() < presentedAt + 0.5);
	}

	/** Loads: its first frame comes on screen, then it seeks to where it begins. */
	load(): void {
		this.readyState = 1;
		this.present(0);
		this.currentTime = this.#time;
		this.readyState = 4;
		this.dispatchEvent(new Event("loadeddata"));
	}

	/** The frame at the current time. */
	get frame(): number {
		return this.#frames.findLast((at) => at <= this.#time) ?? 0;
	}

	pause(): void {
		this.isPlaying = false;
	}

	requestVideoFrameCallback(callback: FrameCallback): number {
		this.#callback = callback;
		return 1;
	}

	cancelVideoFrameCallback(): void {
		this.#callback = null;
	}

	/** Tells of a frame; by default the one at the current time, shown now. */
	present(mediaTime = this.frame, presentationTime = performance.now()): void {
		const callback = this.#callback;
		this.#callback = null;
		callback?.(0, { mediaTime, presentationTime });
	}
}

/** A stepper on a video that shows its frame at `seconds`. */
async function stepperAt(seconds: number, frames: readonly number[], rate: number | null = null) {
	const video = new FakeVideo(frames, (frames.at(-1) ?? 0) + 1 / 15);
	const stepper = new FrameStepper(video as unknown as HTMLVideoElement, rate);
	onTestFinished(() => stepper.close());
	const shows = (frame: number) => expect.poll(() => video.frame).toBe(frame);
	video.currentTime = seconds;
	await new Promise((resolve) => setImmediate(resolve));
	return { video, stepper, shows };
}

const at = (rate: number, ...indexes: number[]) => indexes.map((index) => index / rate);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test.each([15, 25, 60])("each step at %i frames a second shows the very next frame", async (rate) => {
	const frames = at(rate, ...range(0, 40));
	const { stepper, shows, video } = await stepperAt(20 / rate + 0.002, frames);
	for (const [direction, index] of [
		[1, 21],
		[1, 22],
		[-1, 21],
		[-1, 20],
		[-1, 19],
	] as const) {
		stepper.step(direction);
		await shows(frames[index] as number);
	}
	expect(video.isPlaying).toBe(false);
});

test.each([
	["within movement", 0],
	["across a gap", 60],
])("after a first step back %s in a video of unknown rate, each further step shows the very next frame", async (_where, leftOut) => {
	const frames = at(60, ...range(0, 19), ...range(20 + leftOut, 40 + leftOut));
	const { stepper, shows } = await stepperAt((frames[20] as number) + 0.002, frames);
	for (const index of [19, 18, 17, 16, 15]) {
		stepper.step(-1);
		await shows(frames[index] as number);
	}
});

test("a step crosses a gap to its other side, and back to the last frame before it", async () => {
	const frames = at(15, ...range(0, 20), ...range(80, 100));
	const { stepper, shows } = await stepperAt(20 / 15 + 0.002, frames, 15);
	stepper.step(1);
	await shows(80 / 15);
	stepper.step(-1);
	await shows(20 / 15);
});

test("each step shows the next frame that was kept when equal frames were left out", async () => {
	// Still, then movement from one frame on, then still again.
	const numbers = [0, 5, 10, 11, 12, 13, 18, 23, 25, 30];
	const frames = at(15, ...numbers);
	const { stepper, shows } = await stepperAt(0.002, frames, 15);
	for (const number of numbers.slice(1)) {
		stepper.step(1);
		await shows(number / 15);
	}
	for (const number of numbers.toReversed().slice(1)) {
		stepper.step(-1);
		await shows(number / 15);
	}
});

test("a step leads to the beginning of a frame, so that a link to the position shows the same frame", async () => {
	const frames = at(15, ...range(0, 40));
	const { stepper, shows, video } = await stepperAt(10 / 15 + 0.04, frames, 15);
	stepper.step(1);
	await shows(11 / 15);
	await expect.poll(() => video.currentTime).toBeCloseTo(11 / 15 + 0.001, 6);
});

test("a step from a frame that was shown before anybody looked leads to the very next one", async () => {
	const frames = at(60, ...range(0, 40));
	const video = new FakeVideo(frames, 41 / 60);
	video.currentTime = 10 / 60;
	await new Promise((resolve) => setImmediate(resolve));
	const stepper = new FrameStepper(video as unknown as HTMLVideoElement, null);
	onTestFinished(() => stepper.close());
	stepper.step(1);
	await expect.poll(() => video.currentTime).toBeCloseTo(11 / 60 + 0.001, 6);
	expect(video.frame).toBe(11 / 60);
});

test("a step right after a seek counts from the frame that the seek leads to, not from the one before it", async () => {
	const frames = at(15, ...range(0, 40));
	const { stepper, shows, video } = await stepperAt(0.002, frames, 15);
	const before = performance.now();
	video.currentTime = 17 / 15 + 0.002;
	// The browser reports the frame from before the seek late.
	video.present(0, before - 1);
	stepper.step(1);
	await shows(18 / 15);
	await expect.poll(() => video.currentTime).toBeCloseTo(18 / 15 + 0.001, 6);
});

test("a step counts from where a seek leads, though the frame before it came on screen after the seek had begun", async () => {
	const frames = at(15, ...range(0, 40));
	const { stepper, shows, video } = await stepperAt(17 / 15 + 0.002, frames, 15);
	video.currentTime = 0;
	video.present(17 / 15);
	stepper.step(1);
	await shows(1 / 15);
	await expect.poll(() => video.currentTime).toBeCloseTo(1 / 15 + 0.001, 6);
});

test("a step before the video has loaded counts from where it is to begin", async () => {
	const frames = at(15, ...range(0, 40));
	const video = new FakeVideo(frames, 41 / 15);
	video.readyState = 0;
	const stepper = new FrameStepper(video as unknown as HTMLVideoElement, 15);
	onTestFinished(() => stepper.close());
	video.currentTime = 30 / 15 + 0.002;
	for (let press = 0; press < 5; press += 1) stepper.step(1);
	await new Promise((resolve) => setImmediate(resolve));
	video.load();
	await expect.poll(() => video.currentTime).toBeCloseTo(35 / 15 + 0.001, 6);
	expect(video.frame).toBe(35 / 15);
});

test("a step after the video was replaced counts from where the new one is to begin", async () => {
	const frames = at(15, ...range(0, 40));
	const { video, stepper, shows } = await stepperAt(10 / 15 + 0.002, frames, 15);
	stepper.step(1);
	await shows(11 / 15);
	await expect.poll(() => video.currentTime).toBeCloseTo(11 / 15 + 0.001, 6);
	video.readyState = 0;
	video.dispatchEvent(new Event("emptied"));
	video.currentTime = 30 / 15 + 0.002;
	stepper.step(1);
	await new Promise((resolve) => setImmediate(resolve));
	video.load();
	await expect.poll(() => video.currentTime).toBeCloseTo(31 / 15 + 0.001, 6);
	expect(video.frame).toBe(31 / 15);
});

test("a step before the first frame or after the last changes nothing", async () => {
	const frames = at(15, 0, 1, 2);
	const first = await stepperAt(0.002, frames, 15);
	first.stepper.step(-1);
	await expect.poll(() => first.video.seeks).toBeGreaterThan(1);
	await first.shows(0);
	const last = await stepperAt(2 / 15 + 0.002, frames, 15);
	last.stepper.step(1);
	await expect.poll(() => last.video.seeks).toBeGreaterThan(1);
	await last.shows(2 / 15);
});

test("presses that come faster than frames all count; those of a held key do not pile up", async () => {
	const frames = at(15, ...range(0, 60));
	const { stepper, shows } = await stepperAt(30 / 15 + 0.002, frames, 15);
	for (let press = 0; press < 5; press += 1) stepper.step(1);
	await shows(35 / 15);
	const held = await stepperAt(30 / 15 + 0.002, frames, 15);
	for (let repeat = 0; repeat < 20; repeat += 1) held.stepper.step(-1, true);
	await held.shows(28 / 15);
	await new Promise((resolve) => setImmediate(resolve));
	expect(held.video.frame).toBe(28 / 15);
});

test("a seek ends the steps under way", async () => {
	const frames = at(15, ...range(0, 60));
	const { stepper, shows, video } = await stepperAt(30 / 15 + 0.002, frames);
	for (let press = 0; press < 5; press += 1) stepper.step(1);
	stepper.stop();
	video.currentTime = 50 / 15 + 0.002;
	await shows(50 / 15);
	const { seeks } = video;
	for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
	expect(video.seeks).toBe(seeks);
	expect(video.frame).toBe(50 / 15);
});

test("a recording of 60 frames a second is stepped frame by frame", async () => {
	const frames = at(60, ...range(0, 120));
	const { stepper, shows } = await stepperAt(60 / 60 + 0.002, frames, 60);
	stepper.step(1);
	await shows(61 / 60);
	stepper.step(-1);
	stepper.step(-1);
	await shows(59 / 60);
});

test("a recording of one frame a second is stepped frame by frame", async () => {
	const { stepper, shows } = await stepperAt(3.4, range(0, 9), 1);
	stepper.step(1);
	await shows(4);
	stepper.step(-1);
	await shows(3);
});
