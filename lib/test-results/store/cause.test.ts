import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { causeOf, identityOf } from "./cause.ts";

const of = (message: string | null, rest: { stack?: string; test?: string; file?: string } = {}) => ({
	...{ message, stack: rest.stack ?? null, test: rest.test ?? "checkout › pays", file: rest.file ?? null },
});
const identities = (messages: readonly string[]) => new Set(messages.map((message) => identityOf(of(message))));

interface Labelled {
	cause: string;
	tool: string;
	test: string;
	file: string | null;
	message: string | null;
	stack: string | null;
}

/** Failures of bugs planted in small projects, each run with several tests or data. */
const labelled = (): Labelled[] =>
	readFileSync(new URL("./cause/failures.jsonl", import.meta.url), "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));

test.each([
	...Map.groupBy(labelled(), ({ tool }) => tool),
])("failures of %s have one cause when they have one bug, and only then", (_tool, failures) => {
	const right = { merged: 0, split: 0, same: 0 };
	const wrong: string[] = [];
	const found = new Map(failures.map((failure) => [failure, identityOf(failure)]));
	for (const [index, one] of failures.entries()) {
		for (const other of failures.slice(index + 1)) {
			const isSame = found.get(one) === found.get(other);
			if (isSame && one.cause === other.cause) right.same += 1;
			if (isSame === (one.cause === other.cause)) continue;
			right[isSame ? "merged" : "split"] += 1;
			wrong.push(`${one.cause} and ${other.cause}: ${found.get(one)} | ${found.get(other)}`);
		}
	}
	expect(right.same / (right.same + right.merged), wrong.join("\n")).toBeGreaterThanOrEqual(0.97);
	expect(right.same / (right.same + right.split), wrong.join("\n")).toBeGreaterThanOrEqual(0.97);
});

/** Messages of one cause each. */
const SAME: Record<string, string[]> = {
	"a value that is cut off": [
		`SyntaxError: Unexpected token '<', "<!doctype "... is not valid JSON`,
		`SyntaxError: Unexpected token '<', "<p>7</p>" is not valid JSON`,
	],
	"Go, requests with ids": [
		'Get "http://127.0.0.1:40123/orders/13": context deadline exceeded',
		'Get "http://127.0.0.1:40988/orders/26?page=2": context deadline exceeded',
	],
	"pytest, numbers": ["AssertionError: assert 3 == 4", "AssertionError: assert 17 == 4", "assert -1 == 4"],
	"pytest, an object's address": [
		"TypeError: <app.Order object at 0x7f3a1c0d9e50> is not iterable",
		"TypeError: <app.Order object at 0x7f3a1c0d9e51> is not iterable",
	],
	"pytest, a temporary folder": [
		"FileNotFoundError: [Errno 2] No such file or directory: '/tmp/pytest-of-ci/pytest-4/test_export0/out.csv'",
		"FileNotFoundError: [Errno 2] No such file or directory: '/tmp/pytest-of-ci/pytest-19/test_export1/out.csv'",
	],
	"Playwright, with colours, values and a log": [
		"Error: \u001b[2mexpect(\u001b[22mlocator\u001b[2m)\u001b[22m.toHaveText failed\n\nLocator: getByTestId('total')\nExpected string: \"12.50\"\nReceived string: \"13.00\"\nTimeout: 5000ms\n\nCall log:\n  - waiting for getByTestId('total')\n    9 × locator resolved to <b>13.00</b>",
		'Error: expect(locator).toHaveText failed\n\nLocator: getByTestId(\'total\')\nExpected string: "7.10"\nReceived string: "8.00"\nTimeout: 5000ms\n\nCall log:\n  - waiting for getByTestId(\'total\')\n    14 × locator resolved to <b>8.00</b>\n    - unexpected value "8.00"',
	],
	"Playwright, another action on the element that is missing": [
		"TimeoutError: locator.click: Timeout 900ms exceeded.\nCall log:\n  - waiting for getByRole('button', { name: 'Submit' })",
		"TimeoutError: locator.dblclick: Timeout 700ms exceeded.\nCall log:\n  - waiting for getByRole('button', { name: 'Submit' })",
	],
	"Playwright, an address of the test's own server": [
		"Error: page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:43121/cart?id=1",
		"Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:40001/cart?id=2",
	],
	"Selenium in Java, with what the driver adds": [
		'org.openqa.selenium.NoSuchElementException: no such element: Unable to locate element: {"method":"css selector","selector":"#pay"}\n  (Session info: chrome=131.0.6778.85)\nBuild info: version: \'4.27.0\', revision: \'d6e718d134\'\nSession ID: 3f1bd7f0f6c9a7e1d31c5b1a7ce0aa11',
		'org.openqa.selenium.NoSuchElementException: no such element: Unable to locate element: {"method":"css selector","selector":"#pay"}\n  (Session info: chrome=132.0.6834.57)\nBuild info: version: \'4.28.0\', revision: \'ac342546e9\'\nSession ID: 9c5d00f0f6c9a7e1d31c5b1a7ce0aa10',
	],
	"Selenium in Java, how long it was tried": [
		"org.openqa.selenium.TimeoutException: Expected condition failed: waiting for visibility of element located by By.id: pay (tried for 10 second(s) with 500 milliseconds interval)",
		"org.openqa.selenium.TimeoutException: Expected condition failed: waiting for visibility of element located by By.id: pay (tried for 30 second(s) with 250 milliseconds interval)",
	],
	"one element that covers several": [
		'ElementClickInterceptedException: Message: element click intercepted: Element <button id="menu">x</button> is not clickable at point (288, 18). Other element would receive the click: <div id="banner" style="top:0">...</div>',
		'ElementClickInterceptedException: Message: element click intercepted: Element <a id="cart">x</a> is not clickable at point (9, 4). Other element would receive the click: <div id="banner" style="top:9px">...</div>',
	],
	Cypress: [
		"AssertionError: Timed out retrying after 4000ms: Expected to find element: `#row-17`, but never found it.",
		"AssertionError: Timed out retrying after 10000ms: Expected to find element: `#row-18`, but never found it.",
	],
	"times of day in several notations": [
		"Error: the job of 2026-11-24T10:00:00.000Z never ended",
		"Error: the job of 2026-11-25 23:59:01 never ended",
		"Error: the job of Tue, 24 Nov 2026 10:00:00 GMT never ended",
		"Error: the job of 10:15 pm never ended",
	],
	"ids of several forms": [
		"Error: order 5f2c9a1e7b0d was not found",
		"Error: order deadbeef was not found",
		"Error: order 7b0d52c1-95ab-4c8e-9f0a-1b2c3d4e5f60 was not found",
		"Error: order 4711 was not found",
	],
	"lengths of time in several units": [
		"Error: gave up after 1.2s",
		"Error: gave up after 800 ms",
		"Error: gave up after 2 min",
		"Error: gave up after 1m 3s",
		"Error: gave up after 59s",
	],
	"quotation marks of several languages": [
		"Error: «Lampe» est introuvable",
		"Error: «Grand lit» est introuvable",
		"Error: „Tisch“ est introuvable",
		"Error: 「椅子」 est introuvable",
	],
	"addresses of this machine": [
		"Error: connect ECONNREFUSED 127.0.0.1:40123",
		"Error: connect ECONNREFUSED ::1:51200",
		"Error: connect ECONNREFUSED localhost:49152",
	],
	"e-mail addresses": ["Error: no mail to ada+17@example.org", "Error: no mail to grace.hopper@mail.example.co.uk"],
	"paths of other machines": [
		"Error: cannot read C:\\ci\\work\\1\\app.json",
		"Error: cannot read /home/runner/work/app/app.json",
		"Error: cannot read ./build/app.json",
	],
	"browsers that word it differently": [
		"Error: page.evaluate: TypeError: Cannot read properties of undefined (reading 'tax')",
		'Error: page.evaluate: TypeError: can\'t access property "tax", cart.lines[0] is undefined',
		"Error: page.evaluate: TypeError: undefined is not an object (evaluating 'cart.lines[0].tax')",
	],
};

const DIFFERENT = [
	'Get "http://127.0.0.1:40123/orders/13": context deadline exceeded',
	'Get "http://127.0.0.1:40124/carts/17": context deadline exceeded',
	"AssertionError: assert 'Total' in 'Order 3'",
	"AssertionError: assert 'Tax' in 'Order 3'",
	"TypeError: 'NoneType' object is not iterable",
	"TypeError: 'NoneType' object is not callable",
	"KeyError: 'price'",
	"KeyError: 'weight'",
	"TimeoutError: locator.click: Timeout 900ms exceeded.\nCall log:\n  - waiting for getByRole('button', { name: 'Save' })",
	"TimeoutError: locator.click: Timeout 900ms exceeded.\nCall log:\n  - waiting for getByRole('button', { name: 'Submit' })",
	"TimeoutError: locator.click: Timeout 900ms exceeded.\nCall log:\n  - waiting for getByRole('button', { name: 'Save' })\n    - locator resolved to <button disabled>Save</button>\n      - element is not enabled",
	"Error: expect(locator).toHaveText failed\n\nLocator: locator('#total')",
	"Error: expect(locator).toBeVisible failed\n\nLocator: locator('#total')",
	"Error: expect(locator).toBeVisible failed\n\nLocator: locator('#tax')",
	"Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:1/",
	"Error: page.goto: net::ERR_NAME_NOT_RESOLVED at http://localhost:1/",
	"Error: Request failed with status code 500",
	"Error: Request failed with status code 404",
	"Error: the worker ended with exit code 1",
	"Error: the worker ended with exit code 137",
	"Error: connect ECONNREFUSED db:5432",
	"Error: connect ECONNREFUSED cache:6379",
	"Error: connect ECONNREFUSED 127.0.0.1:5432",
	"Error: connect ECONNREFUSED 127.0.0.1:6379",
	'no such element: Unable to locate element: {"method":"css selector","selector":"#pay"}',
	'no such element: Unable to locate element: {"method":"css selector","selector":"#cancel"}',
	'no such element: Unable to locate element: {"method":"css selector","selector":"[id=\\"pay\\"]"}',
	'no such element: Unable to locate element: {"method":"css selector","selector":"[id=\\"cancel\\"]"}',
	"Expected condition failed: waiting for visibility of element located by By.cssSelector: [data-id='pay'] (tried for 10 second(s) with 500 milliseconds interval)",
	"Expected condition failed: waiting for visibility of element located by By.cssSelector: [data-id='tax'] (tried for 10 second(s) with 500 milliseconds interval)",
	"The following error originated from your application code, not from Cypress.\n\n  > the cart is closed\n\nWhen Cypress detects",
	"The following error originated from your application code, not from Cypress.\n\n  > the shop is closed\n\nWhen Cypress detects",
	"Error: don't know the colour, can't continue",
	"Error: don't know the size, can't continue",
	'page.waitForEvent: Timeout 300ms exceeded while waiting for event "download"',
	'page.waitForEvent: Timeout 300ms exceeded while waiting for event "popup"',
];

test.each(Object.entries(SAME))("messages that differ only in volatile parts have one cause: %s", (_what, messages) => {
	expect([...identities(messages)]).toHaveLength(1);
});

test("messages about different things have different causes", () => {
	expect([...identities(DIFFERENT)]).toHaveLength(DIFFERENT.length);
});

test("failures without a message go by their test, whatever its parameters are", () => {
	const causes = (message: string | null, ...tests: string[]) =>
		new Set(tests.map((test) => causeOf(of(message, { test })))).size;
	for (const message of [null, "", "Failed", "java.lang.AssertionError", "AssertionError: assert 3 == 4"]) {
		expect(causes(message, "cart › pays", "cart › sends"), String(message)).toBe(2);
		expect(causes(message, "cart › test_pay[card]", "cart › test_pay[cash]"), String(message)).toBe(1);
	}
});

test("the first frame of the user's own code tells failures of equal words apart, whatever its line is", () => {
	const stack = (fn: string, line: number) =>
		`Error: declined\n    at Module.${fn} (/builds/shop/src/cart.js:${line}:9)\n    at Object.<anonymous> (/builds/shop/tests/cart.test.js:7:3)\n    at run (/builds/shop/node_modules/jest/run.js:1:1)`;
	const cause = (fn: string, line: number) => causeOf(of("Error: declined", { stack: stack(fn, line) }));
	expect(cause("pay", 3)).toBe(cause("pay", 4));
	expect(cause("pay", 3)).not.toBe(cause("refund", 3));
});

test("the error that led to another one belongs to its cause", () => {
	const stack = (root: string) =>
		`java.lang.RuntimeException: payment failed\n\tat shop.Cart.pay(Cart.java:5)\n\tat shop.CartTest.pays(CartTest.java:9)\nCaused by: java.lang.IllegalStateException: ${root}\n\tat shop.Cart.charge(Cart.java:8)\n\t... 4 more`;
	const cause = (root: string) => causeOf(of("payment failed", { stack: stack(root) }));
	expect(cause("card 17 is expired")).toBe(cause("card 18 is expired"));
	expect(cause("card 17 is expired")).not.toBe(cause("account 17 is closed"));
});

test("a message that is the first line alone has the cause of the whole error, which the stack has", () => {
	const first = "Error: expect(received).toMatch(expected)";
	const whole = (pattern: string) => `${first}\n\nExpected pattern: ${pattern}\nReceived string:  "Order 1"`;
	const stack = (pattern: string) => `${whole(pattern)}\n    at Object.<anonymous> (/ci/tests/cart.test.js:9:65)`;
	const short = (pattern: string) => causeOf(of(first, { stack: stack(pattern) }));
	expect(short("/^Bill/")).toBe(causeOf(of(whole("/^Bill/"), { stack: stack("/^Bill/") })));
	expect(short("/^Bill/")).not.toBe(short("/^Invoice/"));
});

test("a cause is the same on every machine and in every year", () => {
	const failure = of("Error: Request failed with status code 404");
	expect(identityOf(failure)).toBe(": Request failed with status code 404");
	expect(causeOf(failure)).toBe("2f0c77c72d4e2239");
});

/** Pieces that the rules look for: repeated, alone and in pairs, they are the beginnings of many matches. */
const SIGNS = [..."-1./\"'“ ^@:([{<\n字"];
const PIECES = [
	...[
		"\\'",
		'\\"',
		"Jan ",
		"0x",
		"1e",
		"a://",
		"C:\\",
		"E ",
		"at ",
		"E   ",
		"\nat a (",
		"\n    at x.",
		"a.b",
		"::1",
		"… ",
		">\n",
	],
	...[
		"expected ",
		"assert ",
		"to be ",
		" = ",
		"https://",
		"<a ",
		"By.id: ",
		"Caused by: ",
		"waiting for ",
		"getByRole(",
	],
	...[
		"\n\t/a.go:1",
		"def a",
		"\na.py:1: in f\n",
		"x.Error: ",
		"expect(",
		"but was: ",
		"!= ",
		"covered by ",
		"status ",
		"${",
	],
	...["a-", "~", "+", "_", ",", "|", "=", "«", "#", "`", "'['", "é"],
];

test("8 KiB of anything take time in proportion to their length", () => {
	const msOf = (message: string | null, stack: string | null) => {
		const times = [1, 2, 3].map(() => {
			const begun = performance.now();
			causeOf({ message, stack, test: "cart › pays[card-17]", file: "cart.test.ts" });
			return performance.now() - begun;
		});
		return Math.min(...times);
	};
	const filled = (unit: string) => unit.repeat(Math.ceil(8_192 / unit.length)).slice(0, 8_192);
	const text = filled("The list of jobs was empty. ");
	for (let warm = 0; warm < 30; warm += 1) msOf(text, filled("    at pay (/src/cart.js:1:2)\n"));
	const plain = Math.max(msOf(text, null), msOf(text, null));
	const units = [...PIECES, ...SIGNS.flatMap((first) => ["", ...SIGNS].map((second) => first + second))];
	const slow = units.flatMap((unit) => {
		const hostile = filled(unit);
		const ratio = () => Math.max(msOf(hostile, null), msOf(null, hostile)) / plain;
		let worst = ratio();
		// Another process may have taken the time.
		for (let again = 0; worst > 30 && again < 5; again += 1) worst = Math.min(worst, ratio());
		return worst > 30 ? [`${JSON.stringify(unit)}: ${Math.round(worst)} times plain text`] : [];
	});
	expect(slow).toEqual([]);
});
