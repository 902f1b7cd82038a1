import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameScreen, screenHash } from "./test-result.ts";

const hexOf = (bits: bigint): string => bits.toString(16).padStart(16, "0");

test("two frames show the same screen if at most five of the 64 bits of their hashes differ", () => {
	const bits = fc.uniqueArray(fc.integer({ min: 0, max: 63 }), { maxLength: 64 });
	fc.assert(
		fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), bits, (hash, different) => {
			const other = different.reduce((mixed, bit) => mixed ^ (1n << BigInt(bit)), hash);
			const [one, two] = [screenHash(hexOf(hash)), screenHash(hexOf(other))];
			expect(isSameScreen(one, two)).toBe(different.length <= 5);
			expect(isSameScreen(two, one)).toBe(different.length <= 5);
		}),
	);
});
