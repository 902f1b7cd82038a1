import { describe, expect, test } from "vitest";
import { type CutPlanInput, planCut } from "./plan-cut.ts";

const NOTHING: CutPlanInput = {
	...{ durationSeconds: 100, changes: [], markers: [], steps: [], failure: null, maxSeconds: 60 },
};
/** Frames that differ, so many a second. */
const moving = (from: number, to: number, rate = 10) =>
	Array.from({ length: Math.round((to - from) * rate) }, (_, index) => from + index / rate);

describe("a review cut", () => {
	test("shows a recording in which nothing changes for one second, and says what it leaves out", () => {
		const { pieces, seconds, leftOut } = planCut(NOTHING);
		expect(pieces).toEqual([{ from: 0, to: 1, speed: 1, begins: 0, ends: 1, note: "0:00 · then 99 s without change" }]);
		expect([seconds, leftOut]).toEqual([1, [{ from: 1, to: 100 }]]);
	});

	test("shows each change for a second when nothing changes for longer after it", () => {
		const { pieces } = planCut({ ...NOTHING, changes: [20, 20.5, 70] });
		expect(pieces.map(({ from, to, note }) => [from, to, note])).toEqual([
			[0, 1, "0:00"],
			[20, 21.5, "0:20 · 19 s without change left out"],
			[70, 71, "1:10 · 49 s without change left out · then 29 s without change"],
		]);
	});

	test("shows the failure last, whole and at its own speed, when more is recorded after it", () => {
		const changes = moving(0, 100);
		const { pieces, seconds } = planCut({ ...NOTHING, changes, failure: { at: 50, text: "Cart failed" } });
		expect(pieces.at(-1)).toMatchObject({ from: 40, to: 55, speed: 1, note: "back at 0:40 · the failure" });
		expect(pieces.slice(0, -1).map(({ from, to }) => [from, to])).toEqual([
			[0, 40],
			[55, 100],
		]);
		expect(pieces[0]?.speed).toBe(2);
		expect(seconds).toBeLessThanOrEqual(60);
	});

	test("fits 40 minutes with three minutes of change into a minute, and shows every marker for two seconds", () => {
		const starts = Array.from({ length: 18 }, (_, index) => 30 + index * 130);
		const markers = starts.map((at, index) => ({ at: at + 3, text: `Marker ${index}` }));
		const changes = starts.flatMap((at) => moving(at, at + 10));
		const { pieces, captions, seconds, hiddenMarkers } = planCut({
			...{ ...NOTHING, durationSeconds: 2_400, changes, markers },
			failure: { at: 2_395, text: "Failed" },
		});
		expect(seconds).toBeLessThanOrEqual(60);
		expect(hiddenMarkers).toBe(0);
		for (const { text } of markers) {
			const caption = captions.find((each) => each.text.endsWith(` ${text}`));
			expect((caption?.to ?? 0) - (caption?.from ?? 0)).toBeCloseTo(2, 6);
			expect(caption?.to).toBeLessThanOrEqual(seconds);
		}
		expect(pieces.at(-1)).toMatchObject({ from: 2_385, to: 2_400, speed: 1 });
	});

	test("keeps captions apart when markers are close together, and holds the last frame for the last ones", () => {
		const markers = Array.from({ length: 5 }, (_, index) => ({ at: 99 + index / 10, text: `M${index}` }));
		const { captions, seconds } = planCut({ ...NOTHING, markers });
		for (const one of captions) {
			for (const other of captions) {
				if (one === other || one.row !== other.row) continue;
				expect(one.to <= other.from || other.to <= one.from).toBe(true);
			}
		}
		expect(captions).toHaveLength(5);
		expect(seconds).toBe(Math.max(...captions.map(({ to }) => to)));
	});

	test("says how many markers have no caption when there are more than its length can show", () => {
		const markers = Array.from({ length: 500 }, (_, index) => ({ at: index / 5, text: `M${index}` }));
		const { captions, seconds, hiddenMarkers } = planCut({ ...NOTHING, markers });
		expect(captions.length + hiddenMarkers).toBe(500);
		expect(captions.length).toBeGreaterThan(60);
		expect(seconds).toBeLessThanOrEqual(60);
	});

	test("gives steps the rows that markers leave, and a chapter each", () => {
		const markers = [0, 0.1, 0.2].map((at) => ({ at, text: "Marker" }));
		const steps = [
			{ at: 0.3, text: "Hidden step" },
			{ at: 50, text: "Shown step" },
		];
		const { captions, chapters } = planCut({ ...NOTHING, changes: moving(0, 51), markers, steps });
		expect(captions.map(({ text }) => text)).toEqual(["0:00 Marker", "0:00 Marker", "0:00 Marker", "Shown step"]);
		expect(chapters.map(({ text }) => text)).toEqual(["Marker", "Marker", "Marker", "Hidden step", "Shown step"]);
	});

	test("has at most 60 stretches when something changes every other second for an hour", () => {
		const changes = Array.from({ length: 1_800 }, (_, index) => index * 2);
		const { pieces, seconds } = planCut({ ...NOTHING, durationSeconds: 3_600, changes });
		expect(pieces.length).toBeLessThanOrEqual(60);
		expect(seconds).toBeLessThanOrEqual(60);
	});
});
