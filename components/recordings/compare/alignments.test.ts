import { expect, test } from "vitest";
import type { TimedMarker } from "#lib/client/markers.ts";
import { commonMarkers } from "./alignments.ts";

const marker = (label: string, seconds: number) => ({ label, seconds }) as TimedMarker;

test("videos are aligned at the first of each marker that both have, in the order of the left one", () => {
	const left = [marker("Cart", 2), marker("Pay", 5.5), marker("Cart", 9), marker("Only here", 10)];
	const right = [marker("Pay", 4), marker("Cart", 6.25), marker("Only there", 7), marker("Cart", 8)];
	expect(commonMarkers(left, right)).toEqual([
		{ label: "Cart", offset: 4.25 },
		{ label: "Pay", offset: -1.5 },
	]);
	expect(commonMarkers(left, [])).toEqual([]);
});
