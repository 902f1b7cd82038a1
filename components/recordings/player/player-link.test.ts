import { expect, test } from "vitest";
import { clearPlayRequest, isPlayRequested, pathAt, requestPlay, startSecondsOf } from "./player-link.ts";

test("a link to a moment leads back to that moment", () => {
	expect(pathAt("/recordings/7", 12.3456)).toBe("/recordings/7?t=12.345");
	expect(startSecondsOf("12.345")).toBe(12.345);
	expect(pathAt("/recordings/7", 0.0004)).toBe("/recordings/7");
	expect(pathAt("/recordings/7", 12.3456, 3)).toBe("/recordings/7?result=3&t=12.345");
	expect(pathAt("/recordings/7", 0, 3)).toBe("/recordings/7?result=3");
});

test.each([undefined, "", "x", "-1", "Infinity", ["x", "2"]])("%j as ?t= starts at the beginning", (value) => {
	expect(startSecondsOf(value)).toBe(0);
});

test("a click asks for one recording to play, until its page has opened", () => {
	requestPlay(7);
	expect([7, 8].map(isPlayRequested)).toEqual([true, false]);
	clearPlayRequest();
	expect(isPlayRequested(7)).toBe(false);
});
