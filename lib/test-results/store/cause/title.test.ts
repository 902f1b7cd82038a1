import { expect, test } from "vitest";
import { titleOf } from "./title.ts";

const titled = (message: string | null, stack: string | null = null) =>
	titleOf({ message, stack, test: "checkout › pays", file: "checkout.spec.ts" });

test.each([
	[
		"Error: expect(locator).toHaveText(expected) failed\n\nLocator:  locator('#total')\nExpected: \"80.10\"\nReceived: \"89.00\"\nTimeout:  5000ms\n\nCall log:\n  - waiting for locator('#total')",
		"#total: expected 80.10, received 89.00",
	],
	[
		'Error: expect(locator).toHaveText failed\n\nLocator: getByTestId(\'total\')\nExpected string: "12.50"\nReceived string: "13.00"',
		"total: expected 12.50, received 13.00",
	],
	[
		"Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 4",
		"expected 3, received 4",
	],
	[
		"Error: the number of orders\n\nexpect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 4",
		"the number of orders: expected 3, received 4",
	],
	[
		"TimeoutError: locator.click: Timeout 900ms exceeded.\nCall log:\n  - waiting for getByRole('button', { name: 'Save' })",
		"TimeoutError: waiting for getByRole('button', { name: 'Save' })",
	],
	[
		"TimeoutError: locator.click: Timeout 900ms exceeded.\nCall log:\n  - waiting for locator('#save')\n    - locator resolved to <button disabled>Save</button>\n      - element is not enabled",
		"TimeoutError: #save: element is not enabled",
	],
	["KeyError: 'price'", "KeyError: 'price'"],
	["expected 3 items, got 2\n  at cart.ts:12", "expected 3 items, got 2"],
	[
		'Expecting actual:\n  "Order 97"\nto start with:\n  "Invoice"',
		'Expecting actual: "Order 97" to start with: "Invoice"',
	],
	["Setup failed:\nNo free account in the pool", "Setup failed: No free account in the pool"],
	["Timeout\n  at login.ts:12", "Timeout"],
	["x".repeat(300), `${"x".repeat(199)}…`],
])("the title of a failure is the line that tells it apart: %j", (message, title) => {
	expect(titled(message)).toBe(title);
});

test("a message that says nothing gives way to the body, and else to the user's own code", () => {
	const go = 'Failed\n=== RUN   TestPay\n    cart_test.go:121: status = "open", want "paid"\n--- FAIL: TestPay (0.00s)';
	expect(titled("Failed", go)).toBe('status = "open", want "paid"');
	const python =
		"    def test_cart(page):\n>       wait_for_cart(page)\n\ntest_shop.py:60: \npages.py:6: in wait_for_cart\n    wait(driver)\nE       TimeoutException: Message:\n\n.venv/lib/python3.11/site-packages/selenium/wait.py:121: TimeoutException";
	expect(titled("selenium.common.exceptions.TimeoutException: Message:", python)).toBe(
		"TimeoutException in wait_for_cart (pages.py)",
	);
	expect(titled(null)).toBeNull();
});
