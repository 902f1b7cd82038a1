/** Secrets are masked in all their forms. The Python client reads the same vectors: see test/vectors/README.md. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { SecretMask } from "./secret-mask.ts";

interface MaskVector {
	title: string;
	env: Record<string, string>;
	text: string;
	masked: string;
}

const file = new URL("../../../test/vectors/computed/secret-mask.json", import.meta.url);
const vectors: MaskVector[] = JSON.parse(await readFile(file, "utf8"));

test.each(vectors)("$title", ({ env, text, masked }) => {
	const mask = new SecretMask(env);
	expect(mask.apply(text)).toBe(masked);
	expect(mask.apply(masked)).toBe(masked);
});

test("secrets named by the user are masked, and a text that may continue with a secret is recognized", () => {
	const mask = new SecretMask({ A_TOKEN: "abcdefgh", TAPEDECK_MASK: "from a variable\nabc\n" }, ["four", "two\nlines"]);
	expect(mask.apply("four abcdefgh from a variable abc lines")).toBe("*** *** *** abc ***");
	expect(mask.mayEndWithin("value: abcd")).toBe(true);
	expect(mask.mayEndWithin("value: abcd.")).toBe(false);
});

test("a text that may go on with a secret of the address that it ends with is recognized", () => {
	const mask = new SecretMask({});
	const beginsOf = (text: string, from: string) =>
		Array.from({ length: text.length - text.indexOf(from) }, (_, more) => text.slice(0, text.indexOf(from) + more + 1));
	for (const text of [
		...beginsOf("GET https://ci:hunter2", ":hunter2"),
		...beginsOf("GET https://shop.example/cb?next=1&access_token=abc", "?next"),
		...beginsOf("see ?access_token=ab", "ab"),
	]) {
		expect(mask.mayEndWithin(text), text).toBe(true);
	}
	for (const text of ["https://shop.example/cb?access_token=abc ", "Continue?", "in /home/ci/shop", "a // b", "page=1"])
		expect(mask.mayEndWithin(text), text).toBe(false);
});

test("nothing is left of the password or the parameter of an address that was cut", () => {
	const mask = new SecretMask({});
	for (const address of ["https://ci:hunter2@shop.example/", "https://shop.example/?token=hunter2"]) {
		for (let length = 1; length <= address.length; length++)
			expect(mask.applyToCut(address.slice(0, length))).not.toMatch(/[:=]h|hu/);
	}
});

test("nothing is left of a secret that was cut", () => {
	const mask = new SecretMask({ A_TOKEN: "abcdefgh" });
	for (let length = 1; length <= 8; length++)
		expect(mask.applyToCut(`the token is ${"abcdefgh".slice(0, length)}`)).not.toContain("a");
	expect(new SecretMask({}).applyToCut("whole")).toBe("whole");
});

test("results have no secrets in names, messages and steps, and keep what else they have", () => {
	const mask = new SecretMask({ A_TOKEN: "abcdefgh" });
	const [startedAt, line] = [new Date(0), 12];
	const inner = { title: "Fill abcdefgh", outcome: "failed", message: "Cookie: a=b", startedAt } as const;
	const names = { test: "abcdefgh › Cookie: is refused", suite: "abcdefgh", file: "abcdefgh.ts" };
	expect(
		mask.applyToResult({
			...{ ...names, key: "1#0", line, startedAt, outcome: "failed" },
			...{ message: "abcdefgh", stack: "at abcdefgh\nCookie: a=b", steps: [{ title: "pays", steps: [inner] }] },
		}),
	).toEqual({
		...{ test: "*** › Cookie: is refused", suite: "***", file: "***.ts" },
		...{ key: "1#0", line, startedAt, outcome: "failed", message: "***", stack: "at ***\nCookie: ***" },
		steps: [{ title: "pays", steps: [{ ...inner, title: "Fill ***", message: "Cookie: ***" }] }],
	});
	const begun = { key: "1#0", test: "pays", suite: null, steps: null };
	expect(mask.applyToResult(begun)).toEqual(begun);
});

test("a text of which pieces are repeated takes time in proportion to its length, whatever they are", async () => {
	const hostile = new URL("../../../test/vectors/computed/hostile-text.json", import.meta.url);
	const pieces: string[] = JSON.parse(await readFile(hostile, "utf8"));
	const mask = new SecretMask({ SHOP_TOKEN: 'a+b/c é"d' });
	/** Processor time of this thread in milliseconds, which does not depend on other load of the machine. */
	const costOf = (piece: string, characters: number): number => {
		const text = piece.repeat(characters / piece.length);
		const before = process.threadCpuUsage();
		mask.apply(text);
		mask.mayEndWithin(text);
		const after = process.threadCpuUsage();
		return (after.user + after.system - before.user - before.system) / 1_000;
	};
	// Eight times the length takes eight times the time, or 64 times if it grows with the square, which is many seconds.
	const slow = pieces.filter((piece) => costOf(piece, 64_000) > 20 * Math.max(50, costOf(piece, 8_000)));
	expect(slow).toEqual([]);
}, 120_000);
