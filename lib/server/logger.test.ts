/** Logging when standard output is no longer read, or cannot be written. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";

const LOGGER = join(import.meta.dirname, "logger.ts");

/** Logs a line, waits for input, then runs `rest`. */
const program = (rest: string) => `
	import { createLogger, logConsole } from ${JSON.stringify(LOGGER)};
	import { asRequest, requestId } from ${JSON.stringify(join(import.meta.dirname, "../http/request-log.ts"))};
	const log = createLogger("info");
	// Next.js catches uncaught exceptions and continues; so does this program.
	process.on("uncaughtException", () => undefined);
	const word = () => new Promise((go) => process.stdin.once("data", go));
	log.info({}, "first");
	process.stderr.write("ready");
	await word();
	${rest}
	process.exit(0);
`;

async function start(rest: string, stdout: "pipe" | number): Promise<ChildProcess> {
	const child = spawn(process.execPath, ["--input-type=module", "--eval", program(rest)], {
		stdio: ["pipe", stdout, "pipe"],
	});
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	expect(await says(child)).toBe("ready");
	return child;
}

async function says(child: ChildProcess): Promise<string> {
	const [words] = await once(child.stderr as Readable, "data");
	return String(words);
}

const TWO_LINES = 'log.info({}, "second"); log.info({}, "third");';

test("the process still exits after the reader of its log has gone", async () => {
	const child = await start(TWO_LINES, "pipe");
	child.stdout?.destroy();
	child.stdin?.write("go on");
	expect(await once(child, "exit")).toEqual([0, null]);
});

test("a log on a full disk does not keep the process from exiting", async () => {
	const full = await open("/dev/full", "w");
	const child = await start(TWO_LINES, full.fd);
	await full.close();
	child.stdin?.write("go on");
	expect(await once(child, "exit")).toEqual([0, null]);
});

test("the last log lines are written before the process exits", async () => {
	const child = await start(TWO_LINES, "pipe");
	let text = "";
	child.stdout?.setEncoding("utf8").on("data", (part) => {
		text += part;
	});
	child.stdin?.write("go on");
	expect(await once(child, "close")).toEqual([0, null]);
	const lines = text.trim().split("\n");
	expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["first", "second", "third"]);
});

test("a slow log reader blocks nothing, and still gets the whole log", async () => {
	const many = 'for (let i = 1; i <= 4_000; i += 1) log.info({ i }, "x".repeat(100));';
	const child = await start(`${many} process.stderr.write("logged"); await word();`, "pipe");
	child.stdin?.write("go on");
	// The process logged all 600 kB, more than a socket buffers, before the first of them is read.
	expect(await says(child)).toBe("logged");
	let text = "";
	child.stdout?.setEncoding("utf8").on("data", (part) => {
		text += part;
	});
	await expect.poll(() => text.match(/\n/g)).toHaveLength(4_001);
	const [, ...lines] = text.trim().split("\n");
	expect(lines.map((line) => JSON.parse(line).i)).toEqual(Array.from({ length: 4_000 }, (_, index) => index + 1));
	child.stdin?.write("end");
	expect(await once(child, "exit")).toEqual([0, null]);
});

test("lines logged while a request is handled have its id, also later; output of libraries is JSON, too", async () => {
	const child = await start(
		`logConsole(log);
		let id;
		await asRequest(async () => {
			id = requestId();
			await new Promise((go) => setTimeout(go, 10));
			log.info({}, "within");
		});
		console.error("of a", "library");
		process.emitWarning("old");
		await new Promise((go) => setTimeout(go, 10));
		log.info({ id }, "after");`,
		"pipe",
	);
	let text = "";
	child.stdout?.setEncoding("utf8").on("data", (part) => {
		text += part;
	});
	child.stdin?.write("go on");
	await once(child, "close");
	const [, within, printed, warning, after] = text
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(within).toMatchObject({ msg: "within", requestId: after.id, node: expect.any(String), version: "0.2.0" });
	expect(printed).toMatchObject({ msg: "of a library", level: 50 });
	expect(warning).toMatchObject({ msg: "old", level: 40 });
	expect(after).not.toHaveProperty("requestId");
});

test("an unreachable database or object store is logged once for each message, other errors each time", async () => {
	const child = await start(
		`const failed = (code, more = {}) => Object.assign(new Error("failed"), { code, ...more });
		for (let time = 0; time < 3; time += 1) {
			log.error({ err: failed("ECONNREFUSED") }, "could not check the credentials of an open stream");
			log.warn({ err: failed("57P01") }, "could not write the progress of recordings");
			log.warn({ err: failed("unavailable", { objectFault: "denied" }) }, "could not send a part");
			log.error({ err: failed("EACCES"), time }, "another error");
			log.info({ err: failed("ECONNREFUSED") }, "a remark");
		}`,
		"pipe",
	);
	let text = "";
	child.stdout?.setEncoding("utf8").on("data", (part) => {
		text += part;
	});
	child.stdin?.write("go on");
	await once(child, "close");
	const lines = text
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line).msg);
	const often = ["another error", "a remark"];
	expect(lines.filter((line) => !often.includes(line))).toEqual([
		"first",
		"could not check the credentials of an open stream",
		"could not write the progress of recordings",
		"could not send a part",
	]);
	for (const line of often) expect(lines.filter((each) => each === line)).toHaveLength(3);
});
