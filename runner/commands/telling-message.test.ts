import { expect, test } from "vitest";
import { tellingMessage } from "./telling-message.ts";

const message = (message: string, body = "", more: { type?: string; names?: string[] } = {}): string =>
	tellingMessage({ message, body, type: "", names: [], ...more }).text;

test.each([
	["expected 3 items", "expected 3 items"],
	["3 != 4", "3 != 4"],
	["HTTP error 500", "HTTP error 500"],
	["TypeError: total is undefined", "TypeError: total is undefined"],
	["cart.cc:12\nValue of: total\n  Actual: 3", "Value of: total\n  Actual: 3"],
	["Request failed with status code 500", "Request failed with status code 500"],
	["kein Feld für den Namen", "kein Feld für den Namen"],
	["合計が違います", "合計が違います"],
])("a message that says what failed stays: %j", (sent, expected) => {
	expect(message(sent, "another line")).toBe(expected);
});

test.each([
	[
		"PHPUnit",
		"",
		"ShopTest::testLogin\nthe sign-in form is missing\nFailed asserting that false is true.\n\n/t/ShopTest.php:6",
		"the sign-in form is missing",
		{ type: "PHPUnit\\Framework\\ExpectationFailedException", names: ["ShopTest", "testLogin", "ShopTest::testLogin"] },
	],
	[
		"PHPUnit, an error",
		"",
		"ShopTest::testBoom\nRuntimeException: payment service is down\n\n/t/ShopTest.php:7",
		"RuntimeException: payment service is down",
		{ type: "RuntimeException", names: ["ShopTest::testBoom"] },
	],
	[
		"gotestsum",
		"Failed",
		"=== RUN   TestPar/y\n=== PAUSE TestPar/y\n=== CONT  TestPar/y\n    x_test.go:5: no\n--- FAIL: TestPar/y (2.00s)\n",
		"no",
		{ names: ["TestPar/y"] },
	],
	[
		"testify",
		"Failed",
		"=== RUN   TestX\n    x_test.go:9: \n        \tError Trace:\t/t/x_test.go:9\n        \tError:      \tNot equal: \n        \t            \texpected: 1\n        \t            \tactual  : 2\n        \tTest:       \tTestX\n--- FAIL: TestX (0.00s)",
		"Not equal: expected: 1 actual  : 2",
		{ names: ["TestX"] },
	],
	[
		"bats",
		"",
		'(in test file shop.bats, line 3)\n  `[ "$total" = 20 ]\' failed',
		'`[ "$total" = 20 ]\' failed',
		{ type: "failure", names: ["pays"] },
	],
	[
		"Playwright",
		"shop.spec.mjs:3:1 pays",
		"  [chromium] › shop.spec.mjs:3:1 › Cart › pays ────────────\n\n    Error: expect(received).toBe(expected)\n\n    Expected: 1",
		"Error: expect(received).toBe(expected)",
		{ type: "FAILURE", names: ["Cart › pays", "Cart", "pays"] },
	],
	[
		"jest-junit",
		"",
		"Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 2\n    at Object.<anonymous> (a.test.js:3:5)",
		"Error: expect(received).toBe(expected) // Object.is equality",
	],
	[
		"JUnit 4",
		"java.lang.AssertionError",
		"java.lang.AssertionError\n\tat shop.Cart.pays(Cart.java:7)",
		"java.lang.AssertionError",
		{ type: "java.lang.AssertionError" },
	],
	[
		"JUnit 5 without a message",
		"null",
		"java.lang.IllegalStateException: no cart\n\tat shop.Cart.pays(Cart.java:7)",
		"java.lang.IllegalStateException: no cart",
	],
	[
		"pytest",
		"collection failure",
		"test_shop.py:3: in <module>\n    import shop\nE   ModuleNotFoundError: No module named 'shop'",
		"ModuleNotFoundError: No module named 'shop'",
	],
	[
		"nose",
		"test failure",
		'Traceback (most recent call last):\n  File "/t/shop.py", line 3, in test_total\n    self.assertEqual(1, 2)\nAssertionError: 1 != 2',
		"AssertionError: 1 != 2",
	],
	[
		"nextest",
		"thread 'pays' panicked at src/lib.rs:5:9",
		"thread 'pays' panicked at src/lib.rs:5:9:\nassertion `left == right` failed\n  left: 1",
		"assertion `left == right` failed",
		{ type: "test failure with exit code 101", names: ["pays"] },
	],
	["Dart", "1 failure, see stacktrace for details", "Failure:\nExpected: <5>\n  Actual: <4>", "Expected: <5>"],
	[
		"TAP",
		"not ok 2 - pays",
		"#   Failed test 'pays'\n#   at t/shop.t line 5.\n#          got: '19'\n#     expected: '20'",
		"got: '19'",
		{ type: "TestFailed", names: ["2 - pays", "pays"] },
	],
	[
		"behave",
		"",
		"Failing step: Then it is paid ... failed in 0.000s\nLocation: features/shop.feature:5\nAssertion Failed: no receipt",
		"Assertion Failed: no receipt",
	],
	[
		"Cucumber",
		"failed Pays by card",
		"Scenario: Pays by card\n\nGiven a cart..........passed\nWhen I pay..........failed\n\nMessage:\n\nno receipt",
		"no receipt",
		{ names: ["Pays by card"] },
	],
	["Bazel", "exited with error code 1", "", "exited with error code 1"],
	[
		"PHPUnit with a warning",
		"Error",
		"Error: Call to a member function pay() on null",
		"Error: Call to a member function pay() on null",
	],
	["a tool that writes nothing", "", "", "", { type: "failure" }],
])("%s: the first telling line replaces a message that says nothing", (_, sent, body, expected, more?: {
	type?: string;
	names?: string[];
}) => {
	expect(message(sent, body, more)).toBe(expected);
});

test("a failed parent of subtests in Go has no message of its own", () => {
	expect(message("Failed", "=== RUN   TestPar\n--- FAIL: TestPar (0.00s)\n", { names: ["TestPar"] })).toBe("");
});

test("hostile texts take linear time", () => {
	const begun = performance.now();
	for (const part of [":1", "a:", " ", "[", "#1 ", "at ", "a.b\\", "::", "Error:\t ", "E   ", "\t        x", "😀"]) {
		message("Failed", part.repeat(16_000), { names: ["a", "a:a:", part.repeat(50)] });
		message(part.repeat(16_000), `${part.repeat(400)}\n`.repeat(40), { names: [part] });
	}
	expect(performance.now() - begun).toBeLessThan(2_000);
});
