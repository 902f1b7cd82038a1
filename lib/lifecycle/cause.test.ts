import { expect, test } from "vitest";
import { causeOf, normalizedMessage } from "./cause.ts";

/** Messages of one cause each, as the tools write them. */
const SAME: Record<string, string[]> = {
	"pytest, numbers": [
		"AssertionError: assert 3 == 4",
		"AssertionError: assert 17 == 4",
		"AssertionError: assert -1 == 4",
	],
	"pytest, with the source and its pointer": [
		"E       AssertionError: expected 'blue' in the basket\nE       assert 'blue' in ['red', 'green']",
		"E       AssertionError: expected 'pink' in the basket\nE       assert 'pink' in ['black', 'white']",
	],
	"pytest, an object's address": [
		"TypeError: <app.Order object at 0x7f3a1c0d9e50> is not iterable",
		"TypeError: <app.Order object at 0x7f3a1c0d9e51> is not iterable",
	],
	"pytest, a file": [
		"FileNotFoundError: [Errno 2] No such file or directory: '/tmp/pytest-of-ci/pytest-4/test_export0/out.csv'",
		"FileNotFoundError: [Errno 2] No such file or directory: '/tmp/pytest-of-ci/pytest-19/test_export1/out.csv'",
	],
	"Playwright, with colours, values and a log": [
		"Error: \u001b[2mexpect(\u001b[22mlocator\u001b[2m)\u001b[22m.toHaveText failed\n\nLocator: getByTestId('total')\nExpected string: \"12.50\"\nReceived string: \"13.00\"\nTimeout: 5000ms\n\nCall log:\n  - waiting for getByTestId('total')\n    9 × locator resolved to <b>13.00</b>",
		'Error: expect(locator).toHaveText failed\n\nLocator: getByTestId(\'total\')\nExpected string: "7.10"\nReceived string: "8.00"\nTimeout: 5000ms\n\nCall log:\n  - waiting for getByTestId(\'total\')\n    14 × locator resolved to <b>8.00</b>\n    - unexpected value "8.00"',
	],
	"Playwright, a time-out": ["Test timeout of 30000ms exceeded.", "Test timeout of 5000ms exceeded."],
	"Playwright, an address": [
		"Error: page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:43121/cart?id=1",
		"Error: page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:40001/cart?id=2",
	],
	"Selenium in Java, with what the driver adds": [
		"org.openqa.selenium.NoSuchElementException: no such element: Unable to locate element: {\"method\":\"css selector\",\"selector\":\"#pay\"}\n  (Session info: chrome=131.0.6778.85)\nFor documentation on this error, please visit: https://www.selenium.dev/documentation/\nBuild info: version: '4.27.0', revision: 'd6e718d134'\nSystem info: os.name: 'Linux', java.version: '17.0.9'\nDriver info: org.openqa.selenium.remote.RemoteWebDriver\nSession ID: 3f1bd7f0f6c9a7e1d31c5b1a7ce0aa11",
		"org.openqa.selenium.NoSuchElementException: no such element: Unable to locate element: {\"method\":\"css selector\",\"selector\":\"#pay\"}\n  (Session info: chrome=132.0.6834.57)\nFor documentation on this error, please visit: https://www.selenium.dev/documentation/\nBuild info: version: '4.28.0', revision: 'ac342546e9'\nSystem info: os.name: 'Linux', java.version: '21.0.1'\nDriver info: org.openqa.selenium.remote.RemoteWebDriver\nSession ID: 9c5d00f0f6c9a7e1d31c5b1a7ce0aa10",
	],
	"Selenium in Java, how long it was tried": [
		"org.openqa.selenium.TimeoutException: Expected condition failed: waiting for visibility of element located by By.id: pay (tried for 10 second(s) with 500 milliseconds interval)",
		"org.openqa.selenium.TimeoutException: Expected condition failed: waiting for visibility of element located by By.id: pay (tried for 30 second(s) with 250 milliseconds interval)",
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
	"ids that differ in one hexadecimal digit": [
		"Error: order 5f2c9a1e7b0d was not found",
		"Error: order 5f2c9a1e7b0e was not found",
		"Error: order deadbeef was not found",
		"Error: order 7b0d52c1-95ab-4c8e-9f0a-1b2c3d4e5f60 was not found",
	],
	"durations in other units": [
		"Error: gave up after 1.2s",
		"Error: gave up after 800 ms",
		"Error: gave up after 2 min",
	],
	"paths of other machines": [
		"Error: cannot read C:\\ci\\work\\1\\app.json",
		"Error: cannot read /home/runner/work/app/app.json",
		"Error: cannot read ./build/app.json",
	],
};

const DIFFERENT = [
	"AssertionError: assert 3 == 4",
	"AssertionError: assert 3 in [4]",
	"TypeError: 'NoneType' object is not iterable",
	"TypeError: 'NoneType' object is not callable",
	"Error: expect(locator).toHaveText failed",
	"Error: expect(locator).toBeVisible failed",
	"Test timeout of 30000ms exceeded.",
	"Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:1/",
	"Error: page.goto: net::ERR_NAME_NOT_RESOLVED at http://localhost:1/",
	"Error: don't know the colour, can't go on",
	"Error: don't know the size, can't go on",
	"",
];

test.each(Object.entries(SAME))("messages that differ only in what changes have one cause: %s", (_what, messages) => {
	expect(new Set(messages.map(normalizedMessage)).size, messages.map(normalizedMessage).join("\n")).toBe(1);
	expect(new Set(messages.map(causeOf)).size).toBe(1);
});

test("messages that say something else have causes of their own, and a failure without a message has one, too", () => {
	expect(new Set(DIFFERENT.map(causeOf)).size).toBe(DIFFERENT.length);
	expect(causeOf(null)).toBe(causeOf(""));
	expect(causeOf(null)).toMatch(/^[0-9a-f]{16}$/);
});

test("a cause is the same on every machine and in every year", () => {
	expect(causeOf("AssertionError: assert 3 == 4")).toBe("d442bdf4bd4e995a");
	expect(normalizedMessage("AssertionError: assert 3 == 4")).toBe("AssertionError: assert 0 == 0");
});

/** Pieces of what the rules look for: repeated, alone and in pairs, they are the beginnings of many matches. */
const PIECES = [..."-a1./\\\"'`“ \t^~@+_:,("].concat(
	"\\'",
	'\\"',
	"TIME ",
	"Jan ",
	"0x",
	"1e",
	"a://",
	"C:\\",
	"E ",
	"at ",
	"é",
);

test("the longest message takes time in proportion to its length, whatever it consists of", () => {
	const secondsOf = (text: string) => {
		const times = [1, 2, 3].map(() => {
			const begun = performance.now();
			causeOf(text);
			return performance.now() - begun;
		});
		return Math.min(...times);
	};
	const filled = (unit: string) => unit.repeat(Math.ceil(8_192 / unit.length)).slice(0, 8_192);
	const plain = secondsOf(filled("The list of jobs was empty. "));
	const slow = PIECES.flatMap((first) => ["", ...PIECES].map((second) => first + second)).flatMap((unit) => {
		const ratio = secondsOf(filled(unit)) / plain;
		return ratio > 40 ? [`${JSON.stringify(unit)}: ${Math.round(ratio)} times plain text`] : [];
	});
	expect(slow).toEqual([]);
});

test("quoted text is replaced, an apostrophe within a word is not, and a mark without its pair is kept", () => {
	expect(normalizedMessage(`no "a \\"b\\" c" and 'd' and “e”`)).toBe('no "…" and "…" and "…"');
	expect(normalizedMessage("can't and won't")).toBe("can't and won't");
	expect(normalizedMessage('said "no more')).toBe('said "no more');
	expect(normalizedMessage("a 'b'c 'd' e")).toBe(`a 'b'c "…" e`);
});
