/** Lines on their way from processes of tests to the reporter's. */
import { appendFileSync, existsSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { startChild } from "../../../test/processes/child.ts";
import { type BrowserLine, BrowserLines, lineWriter } from "./browser-lines.ts";

const MODULE = new URL("browser-lines.ts", import.meta.url).href;
const line = (text: string): BrowserLine => ({
	track: "console",
	at: 1_700_000_000_000,
	text,
	level: "info",
	data: {},
});

const received: BrowserLine[] = [];
const onError = vi.fn();
const texts = () => received.map(({ text }) => text);
let lines: BrowserLines | null = null;
function begin(): string {
	received.length = 0;
	onError.mockReset();
	lines = new BrowserLines((each) => received.push(each), onError);
	return process.env.TAPEDECK_PLAYWRIGHT_LINES ?? "";
}
function finish(): void {
	lines?.finish();
	lines = null;
}
afterEach(finish);

test("lines of several processes arrive while they run, and all that a killed one has written", async () => {
	const file = begin();
	expect(statSync(dirname(file)).mode & 0o077).toBe(0);
	const code = `
		const { lineWriter } = await import(${JSON.stringify(MODULE)});
		const write = lineWriter(process.env);
		for (let number = 0; number < 2_000; number++)
			write({ track: "network", at: 1, text: process.argv[1] + number + " ä".repeat(500), level: "info", data: {} });
		process.kill(process.pid, "SIGKILL");`;
	const children = ["a", "b"].map((name) => startChild(process.execPath, ["--input-type=module", "-e", code, name]));
	expect(await Promise.all(children.map(({ exited }) => exited))).toEqual(["SIGKILL", "SIGKILL"]);
	await expect.poll(() => received).toHaveLength(4_000);
	for (const name of ["a", "b"]) {
		const own = texts().filter((text) => text.startsWith(name));
		expect(own).toEqual(Array.from({ length: 2_000 }, (_, number) => `${name}${number}${" ä".repeat(500)}`));
	}
	finish();
	expect(existsSync(dirname(file))).toBe(false);
	expect(lineWriter(process.env)).toBeNull();
});

test("lines written at the end are read, and a line that was cut is left out", () => {
	const file = begin();
	const write = lineWriter(process.env);
	write?.(line("first"));
	appendFileSync(file, '{"track": "console", "te\n');
	write?.(line("last"));
	appendFileSync(file, '{"track"');
	finish();
	expect(texts()).toEqual(["first", "last"]);
	expect(onError).not.toHaveBeenCalled();
});

test("a writer whose file is gone throws, and the reader ends without an error", () => {
	const file = begin();
	const write = lineWriter(process.env);
	rmSync(dirname(file), { recursive: true });
	expect(() => write?.(line("lost"))).toThrow("ENOENT");
	finish();
	expect(texts()).toEqual([]);
});
