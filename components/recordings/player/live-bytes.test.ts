import { expect, test } from "vitest";
import { codecsOfInit } from "./live-bytes.ts";

test("the codec string is the profile, constraints and level of the avcC box", () => {
	const bytes = Uint8Array.from([0, 0, 0, 19, ...Buffer.from("avcC"), 1, 0x64, 0, 0x28, 0xff]);
	expect(codecsOfInit(bytes)).toBe("avc1.640028");
});

test("without an avcC box the codec is the one that runners encode", () => {
	expect(codecsOfInit(new Uint8Array(32))).toBe("avc1.42C01F");
});
