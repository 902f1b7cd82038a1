import { expect, test } from "vitest";
import { SecretMask } from "../../typescript/src/index.ts";
import { safeName, safeText, safeUrl } from "./browser-text.ts";

const mask = new SecretMask({ SHOP_TOKEN: "tok-0123456789" });

test.each([
	["https://shop.example/cart?id=4&page=2#top", "https://shop.example/cart?id=4&page=2#top"],
	["https://shop.example/cart?id=tok-0123456789", "https://shop.example/cart?id=***"],
	["/cb?access_token=abc&state=1#id_token=ey.J", "/cb?access_token=***&state=1#id_token=***"],
	[
		"/cb?apiKey=1&api-key=2&user[password]=3&user%5Bpassword%5D=4",
		"/cb?apiKey=***&api-key=***&user[password]=***&user%5Bpassword%5D=***",
	],
	[
		"/video?X-Amz-Signature=ab12&X-Amz-Credential=AKIA&X-Amz-Expires=60&sig=cd",
		"/video?X-Amz-Signature=***&X-Amz-Credential=***&X-Amz-Expires=60&sig=***",
	],
	["/login?next=%2Fcb%3Ftoken%3Dabc%26page%3D2", "/login?next=%2Fcb%3Ftoken%3D***%26page%3D2"],
	["/cb?token=a%26b%3Dc", "/cb?token=***"],
	["https://ci:hunter2@shop.example:8080/", "https://ci:***@shop.example:8080/"],
	["http://shop.example:8080/@scope/a:b", "http://shop.example:8080/@scope/a:b"],
	["/keyboard?monkey=1&design=2&author=3", "/keyboard?monkey=1&design=2&author=3"],
])("secrets in addresses are masked, and nothing else: %s", (url, expected) => {
	expect(safeUrl(url, mask)).toBe(expected);
	expect(safeText(`GET ${url} failed`, mask)).toBe(`GET ${expected} failed`);
});

test("texts have no secrets, also where they are cut, and say so", () => {
	expect(safeText("paid with tok-0123456789\nCookie: a=b", mask)).toBe("paid with ***\nCookie: ***");
	for (const length of [10_000, 64 * 1024 - 5, 200_000]) {
		const text = safeText(`${"x".repeat(length)}tok-0123456789`.repeat(2), mask);
		expect(text).not.toMatch(/tok|012/);
		expect(text).toMatch(/… \(cut: [\d,]+ more characters\)$/);
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10 * 1024);
	}
	expect(Buffer.byteLength(safeUrl(`data:,${"ä💥".repeat(2_000)}`, mask))).toBeLessThanOrEqual(2 * 1024);
});

test("names of tests keep what only looks like a header", () => {
	expect(safeName("Cookie: is refused for tok-0123456789", mask)).toBe("Cookie: is refused for ***");
});
