import { expect, test } from "vitest";
import { startChild } from "../../test/processes/child.ts";

const MODULE = new URL("child-command.ts", import.meta.url).href;
/**
 * Sends the signal to whoever started it, and ends with 5 when it arrives here in turn. It waits for a minute: so many
 * processes start at once that each has little of a slow machine.
 */
const COMMAND = 'trap "exit 5" INT; kill -INT $PPID; for _ in $(seq 600); do sleep 0.1; done';
const PROGRAM = `
	import { runChild } from ${JSON.stringify(MODULE)};
	const { status } = await runChild(["sh", "-c", ${JSON.stringify(COMMAND)}], process.env);
	process.exitCode = status;`;
const ATTEMPTS = 32;

test("a signal in the first instant of a command reaches it, and ends nobody else", async () => {
	const children = Array.from({ length: ATTEMPTS }, () =>
		startChild(process.execPath, ["--input-type=module", "--eval", PROGRAM]),
	);
	const statuses = await Promise.all(children.map((child) => child.exited));
	expect(statuses).toEqual(Array.from({ length: ATTEMPTS }, () => 5));
});
