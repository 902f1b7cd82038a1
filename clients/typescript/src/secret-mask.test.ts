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
		["no authorization here", "no authorization here"],
	]) {
		expect(mask.apply(line as string)).toBe(masked);
	}
});

test("what is named by the user is masked, and a text that may go on with a secret is recognized", () => {
	const mask = new SecretMask({ A_TOKEN: "abcdefgh" }, ["four"]);
	expect(mask.apply("four abcdefgh")).toBe("*** ***");
	expect(mask.mayEndWithin("value: abcd")).toBe(true);
	expect(mask.mayEndWithin("value: abcd.")).toBe(false);
});
