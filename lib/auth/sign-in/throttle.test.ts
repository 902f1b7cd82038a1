import { expect, test } from "vitest";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { FAILURES_PER_ADDRESS, SignInThrottle } from "./throttle.ts";

onOneDatabase((api) => {
	test("guesses from one /64 of IPv6 are counted together, whichever of its addresses they come from", async () => {
		const throttle = new SignInThrottle(api().app.db);
		for (let guess = 0; guess < FAILURES_PER_ADDRESS; guess++) {
			const address = `2001:db8:0:1::${guess.toString(16)}`;
			expect(await throttle.take(`person-${guess}@example.com`, address)).toBeNull();
		}
		expect(await throttle.take("next@example.com", "2001:db8:0:1:ffff::1")).toBeGreaterThan(0);
		expect(await throttle.take("next@example.com", "2001:db8:0:2::1")).toBeNull();
	});
});
