/** The checks of `npm test` one after the other. */
import { expect, test } from "vitest";
import { performChecks } from "./checks.mjs";
import { signalRunning } from "./run.mjs";

const check = (title: string, ran: string[], during = () => {}) => ({
	title,
	perform: async () => {
		ran.push(title);
		during();
		return { passed: 1, failed: 0 };
	},
});

test("after a signal, such as Ctrl-C, no other check begins, and they have not passed", async () => {
	const ran: string[] = [];
	expect(await performChecks([check("a", ran), check("b", ran)])).toBe(true);
	const interrupted = check("c", ran, () => signalRunning("SIGINT"));
	expect(await performChecks([interrupted, check("d", ran)])).toBe(false);
	expect(ran).toEqual(["a", "b", "c"]);
});
