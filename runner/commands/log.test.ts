import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../test/api-server.ts";
import { TAPEDECK, tapedeck } from "../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { decoded } from "./log.ts";

const run = promisify(execFile);

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

async function newJob(): Promise<number> {
	const { runnerId } = await api.signIn();
	const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
	return (await api.call("POST", "/v1/jobs", { body })).body.id;
}
const ENV = { ...process.env, XDG_CONFIG_HOME: "/nonexistent", SHOP_TOKEN: "tok-0123456789" };

test("the lines of a file are added with their times and levels, and without secrets", async () => {
	const jobId = await newJob();
	const file = join(await temporaryFolder("log"), "server.log");
	await writeFile(
		file,
		[
			"2026-11-21T01:12:00.250Z INFO started with tok-0123456789",
			"2026-11-21T01:12:02.000Z ERROR payment failed",
			"    at Cart.pay (cart.ts:12)",
			'{"level":40,"time":"2026-11-21T01:12:03.000Z","msg":"retrying"}',
		].join("\n"),
	);
	const env = { ...ENV, TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
	const words = ["log", "--job", String(jobId), "--track", "log.server"];
	const { stdout } = await run("sh", ["-c", `exec "$0" "$@" < ${file}`, TAPEDECK, ...words], { env });
	expect(stdout).toContain("Added 4 lines to the track log.server");
	expect(stdout).toContain("1 line had no time and has that of the line before, or of now.");
	const { body } = await api.call("GET", `/v1/jobs/${jobId}/tracks/log.server`);
	expect(body.data.map(({ at = "", text, level }: Record<string, string>) => [at.slice(17), text, level])).toEqual([
		["00.250Z", "2026-11-21T01:12:00.250Z INFO started with ***", "info"],
		["02.000Z", "2026-11-21T01:12:02.000Z ERROR payment failed", "error"],
		["02.000Z", "    at Cart.pay (cart.ts:12)", null],
		["03.000Z", "retrying", "warn"],
	]);
});

test("in a command of tapedeck run, they go to the spool of its runner, without a key", async () => {
	const spool = await temporaryFolder("log");
	const env = { ...ENV, TAPEDECK_RUN: spool };
	const script = `printf 'one\\ntok-0123456789\\n' | "$0" log --track steps`;
	const { stdout } = await run("sh", ["-c", script, TAPEDECK], { env });
	expect(stdout).toContain("Added 2 lines to the track steps of the recording.");
	const lines = (await readFile(join(spool, "track-steps.ndjson"), "utf8")).trimEnd().split("\n");
	expect(lines.map((line) => JSON.parse(line).text)).toEqual(["one", "***"]);
});

test("a job that is not named, a name that no track has, and a mask that is too short are refused", async () => {
	for (const [words, says] of [
		[["log"], "Name the job with --job"],
		[["log", "--job", "1", "--track", "a/b"], "--track"],
		[["log", "--job", "1", "--mask", "a"], "--mask"],
	] as const) {
		const answer = await tapedeck([...words], { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY });
		expect([answer.status, answer.text]).toEqual([2, expect.stringContaining(says)]);
	}
});

async function textOf(parts: AsyncIterable<string>): Promise<string> {
	let text = "";
	for await (const part of parts) text += part;
	return text;
}

test("a log in UTF-8 or UTF-16 is read with and without its byte order mark, however it is split", async () => {
	const text = "21.11.2026 01:12:00 größer\r\n";
	const little = Buffer.from(text, "utf16le");
	for (const bytes of [
		...[Buffer.from(text), Buffer.from(`\ufeff${text}`), little, Buffer.from(`\ufeff${text}`, "utf16le")],
		...[Buffer.from(little).swap16(), Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
	]) {
		for (const size of [1, 3, 1_000]) {
			async function* chunks(): AsyncGenerator<Buffer> {
				for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
			}
			expect(await textOf(decoded(chunks()))).toBe(text);
		}
	}
	async function* nothing(): AsyncGenerator<Buffer> {}
	expect(await textOf(decoded(nothing()))).toBe("");
});
