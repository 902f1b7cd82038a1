/** The output of a recorded command as its track `log`. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inExplore } from "../../test/in-explore.ts";
import { startCommand, TAPEDECK, tapedeck, tapedeckInTerminal } from "../../test/processes/tapedeck-command.ts";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();

interface Line {
	at: string;
	text: string;
	level?: string;
}

const flags = () => ["--display", scene.display.id, "--data-dir", scene.dataDir];
const onlyJob = (): FakeJob => [...scene.dashboard.jobs.values()][0] as FakeJob;
const linesOf = (name: string): Line[] =>
	(onlyJob()?.tracks.get(name) ?? "")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));
const textsOf = (name: string) => linesOf(name).map(({ text }) => text);

test("output of the command passes byte for byte, and is its log, by stream, with colours and without secrets", async () => {
	await scene.start();
	const secret = "tok-0123456789";
	// Each secret in two writes, and colours, bytes that are no UTF-8, and an end without a line end.
	const script = [
		"printf 'before\\n\\033[31mred\\033[0m\\n'",
		"printf 'the token is tok-01234'; sleep 0.3; printf '56789.\\n'",
		"printf 'curl -H Authorization: Bearer xyz\\n' >&2; printf 'named: sesame\\n\\377\\nno end'",
		"echo to-device > /dev/stdout",
		// Reporters in the command mask what its flags name, too.
		`echo "$TAPEDECK_MASK"; '${TAPEDECK}' mark 'sesame ${secret}' --message 'sesame ${secret}' >&2`,
	].join("; ");
	const words = ["run", ...flags(), "--mask", "sesame", "--", "sh", "-c", script];
	const env = { ...process.env, MY_TOKEN: secret, XDG_CONFIG_HOME: "/nonexistent" };
	const child = spawn(TAPEDECK, words, { env, stdio: ["ignore", "pipe", "pipe"] });
	const written: Record<string, Buffer[]> = { stdout: [], stderr: [] };
	child.stdout.on("data", (chunk: Buffer) => written.stdout?.push(chunk));
	child.stderr.on("data", (chunk: Buffer) => written.stderr?.push(chunk));
	const [status] = await once(child, "close");
	expect(status).toBe(0);
	const expected = `before\n\u001b[31mred\u001b[0m\nthe token is ${secret}.\nnamed: sesame\n\xff\nno endto-device\nsesame\n`;
	expect(Buffer.concat(written.stdout ?? []).toString("latin1")).toBe(expected);
	expect(Buffer.concat(written.stderr ?? []).toString()).toContain("curl -H Authorization: Bearer xyz\n");
	await scene.spoolEmpty();
	const lines = linesOf("log");
	const of = (level: string) => lines.filter((line) => line.level === level).map(({ text }) => text);
	expect(of("info")).toEqual([
		...["before", "\u001b[31mred\u001b[0m", "the token is ***.", "named: ***", "\ufffd", "no endto-device", "***"],
	]);
	expect(of("error")).toEqual(["curl -H Authorization: ***", expect.stringContaining('Marked "*** ***"')]);
	expect(onlyJob().reports).toContainEqual(
		expect.objectContaining({
			...{ type: "command_marker", marker: expect.objectContaining({ label: "*** ***", message: "*** ***" }) },
		}),
	);
	expect(JSON.stringify([...onlyJob().tracks])).not.toMatch(/tok-0123456789|sesame|xyz/);
	// The script is the recording's name.
	expect(onlyJob().order.name).toMatch(/^printf 'before.{65}…$/);
	expect(onlyJob().order.name).not.toMatch(/sesame|xyz/);
	expect(linesOf("load").length).toBeGreaterThan(0);
});

test("streams that go to one place keep their order, and what is left running writes on", async () => {
	await scene.start();
	const script = `for n in 1 2 3 4 5; do echo out $n; echo err $n >&2; done; (sleep 1.5; echo late) & echo over`;
	const words = ["run", ...flags(), "--", "sh", "-c", script].map((word) => `'${word}'`).join(" ");
	const shell = spawn("sh", ["-c", `'${TAPEDECK}' ${words} 2>&1; echo "status $?"; sleep 3`], {
		env: { ...process.env, XDG_CONFIG_HOME: "/nonexistent" },
		stdio: ["ignore", "pipe", "inherit"],
	});
	let text = "";
	shell.stdout.on("data", (chunk: Buffer) => {
		text += chunk.toString();
	});
	await once(shell, "close");
	const numbered = ["1", "2", "3", "4", "5"].flatMap((n) => [`out ${n}`, `err ${n}`]);
	expect(text.split("\n").filter((line) => /^(out|err) /.test(line))).toEqual(numbered);
	expect(text).toContain("status 0\n");
	expect(text).toContain("late\n");
	expect(textsOf("log")).toEqual([...numbered, "over"]);
});

test("output that goes to files is recorded, too, and the end of it says why the command failed", async () => {
	await scene.start();
	const [out, err] = [join(scene.folder, "out.txt"), join(scene.folder, "err.txt")];
	await writeFile(out, "of another build\n");
	const script = "echo one; sleep 0.5; echo two >&2; printf 'three'; exit 3";
	const words = ["run", ...flags(), "--", "sh", "-c", script];
	const shell = spawn("sh", ["-c", `"$0" "$@" >>'${out}' 2>'${err}'`, TAPEDECK, ...words], { stdio: "ignore" });
	const [status] = await once(shell, "close");
	expect(status).toBe(3);
	expect(await readFile(out, "utf8")).toBe("of another build\none\nthree");
	await scene.spoolEmpty();
	expect(linesOf("log").map(({ level, text }) => `${level} ${text}`)).toEqual(["info one", "error two", "info three"]);
	expect(onlyJob().reports).toContainEqual(
		expect.objectContaining({
			...{ type: "command_ended", outcome: "failed", message: "The command ended with status 3." },
			output: "one\ntwo\nthree",
		}),
	);
});

test("in a terminal, the command has the terminal", async () => {
	await scene.start();
	const { screen, status } = await tapedeckInTerminal(
		["run", ...flags(), "--", "sh", "-c", "test -t 1 && test -t 2 && echo a terminal"],
		{},
	);
	expect([status, screen]).toEqual([0, expect.stringContaining("a terminal")]);
});

inExplore(test)("a runner that is killed uploads the log when it is there again, whole and in order", async () => {
	await scene.start();
	const script = `for n in $(seq 60); do echo line $n; sleep 0.1; done; until [ -e ${join(scene.folder, "go")} ]; do sleep 0.1; done`;
	const run = startCommand(["run", ...flags(), "--", "sh", "-c", script]);
	await run.says("line 20");
	await scene.kill();
	await run.says("line 40");
	await scene.start();
	await run.says("line 60");
	await tapedeck(["status", "--data-dir", scene.dataDir]);
	run.process.kill("SIGTERM");
	await run.exited;
	await scene.spoolEmpty();
	expect(textsOf("log")).toEqual(Array.from({ length: 60 }, (_, n) => `line ${n + 1}`));
});

inExplore(test)("output from two seconds before a kill is in the spool, and arrives", async () => {
	await scene.start();
	await scene.dashboard.goDown();
	const run = startCommand([
		"run",
		...flags(),
		"--",
		"sh",
		"-c",
		'echo "pid $$"; printf "no line end"; exec sleep 600',
	]);
	await run.says("no line end");
	const [folder] = await spooled(scene.dataDir);
	const file = join(scene.dataDir, "jobs", folder as string, "track-log.ndjson");
	await until(async () => (await readFile(file, "utf8")).includes("no line end"), "it is written", 10_000);
	const [, pid] = /^pid (\d+)$/m.exec(run.output()) ?? [];
	const gone = once(run.process, "exit");
	run.process.kill("SIGKILL");
	await gone;
	process.kill(Number(pid), "SIGKILL");
	await scene.dashboard.listen();
	await scene.spoolEmpty();
	expect(textsOf("log")).toEqual([expect.stringMatching(/^pid \d+$/), "no line end"]);
});
