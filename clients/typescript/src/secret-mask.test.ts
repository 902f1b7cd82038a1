import { expect, test } from "vitest";
import { SecretMask } from "./secret-mask.ts";

test("values of variables that are named like secrets are masked, as they are, encoded and in JSON; others are not", () => {
	const mask = new SecretMask({
		...{ GITHUB_TOKEN: "ghs_abcdef", DB_PASSWORD: 'a"b/c d', AWS_SECRET_ACCESS_KEY: "wJalr+XU", API_KEY: "key-123456" },
		...{ PWD: "/home/ci/shop", KEYBOARD: "qwerty-us", BUILD: "12345678", SHORT_TOKEN: "abc" },
	});
	expect(mask.apply('in /home/ci/shop: ghs_abcdef, a"b/c d, a%22b%2Fc%20d, "a\\"b/c d", wJalr+XU')).toBe(
		'in /home/ci/shop: ***, ***, ***, "***", ***',
	);
	expect(mask.apply("qwerty-us 12345678 abc")).toBe("qwerty-us 12345678 abc");
});

test("a secret that contains another one, regular expressions and several lines are masked whole", () => {
	const mask = new SecretMask({ A_TOKEN: "secret", B_TOKEN: "secret.*(x)", PRIVATE_KEY: "-----BEGIN\nMIIEvQIBAD\n" });
	expect(mask.apply("secret.*(x) secretary MIIEvQIBAD secretAB(x)")).toBe("*** ***ary *** ***AB(x)");
});

test("headers with credentials are masked, whatever they are", () => {
	const mask = new SecretMask({});
	for (const [line, masked] of [
		["Authorization: Bearer abc.def", "Authorization: ***"],
		["> cookie: session=1; theme=dark", "> cookie: ***"],
		["Set-Cookie: a=b; HttpOnly", "Set-Cookie: ***"],
		['{"authorization": "Basic dXNlcg==", "x": 1}', '{"authorization": "***", "x": 1}'],
		['"a: b\\nCookie: c=d"', '"a: b\\nCookie: ***"'],
		["no authorization here", "no authorization here"],
	]) {
		expect(mask.apply(line as string)).toBe(masked);
	}
});

test("what is named by the user is masked, and a text that may go on with a secret is recognized", () => {
	const mask = new SecretMask({ A_TOKEN: "abcdefgh", TAPEDECK_MASK: "from a variable\nabc\n" }, ["four", "two\nlines"]);
	expect(mask.apply("four abcdefgh from a variable abc lines")).toBe("*** *** *** abc ***");
	expect(mask.mayEndWithin("value: abcd")).toBe(true);
	expect(mask.mayEndWithin("value: abcd.")).toBe(false);
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
