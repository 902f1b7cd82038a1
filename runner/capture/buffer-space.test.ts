import { expect, test } from "vitest";
import { bufferSpaceFault } from "./buffer-space.ts";

test("a buffer that is larger than the disk is refused, with what it needs and what to do", () => {
	const fault = bufferSpaceFault(100_000_000, 3_600);
	expect(fault?.what).toBe(
		"A buffer of 3600 s does not fit on the disk of the data directory: it needs about 505 MB free, and there are 100 MB",
	);
	expect(fault?.remedy).toContain("set TAPEDECK_BUFFER to less");
});

test("a buffer that fits is none", () => {
	expect(bufferSpaceFault(20_000_000_000, 120)).toBeNull();
});
