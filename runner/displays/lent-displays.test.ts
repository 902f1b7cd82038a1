/** Displays that a runner lends to programs of its machine, with real servers. */

import { readlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrow } from "../../clients/playwright/src/lender.ts";
import { openWindow } from "../../test/displays/x-window.ts";
import { inExplore } from "../../test/in-explore.ts";
import { startChild } from "../../test/processes/child.ts";
import { startCommand, tapedeck } from "../../test/processes/tapedeck-command.ts";
import { processesWith } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";
import { ControlClient } from "../control/control-client.ts";

const scene = runnerScene({ display: null });

/** Starts a runner whose displays keep their authority in the scene's folder, by which their processes are found. */
async function start(maximum: number): Promise<ControlClient> {
	const temporary = join(scene.folder, "tmp");
	await mkdir(temporary, { recursive: true });
	const env = { TAPEDECK_VIRTUAL_DISPLAYS: String(maximum), TAPEDECK_VIRTUAL_DISPLAY_SIZE: "320x200" };
	await scene.start({ env: { ...env, TMPDIR: temporary } });
	return new ControlClient(scene.dataDir);
}
const displayServers = async (): Promise<number[]> =>
	(await processesWith(join(scene.folder, "tmp"))).filter((pid) => {
		try {
			return readlinkSync(`/proc/${pid}/exe`).endsWith("/Xvfb");
		} catch {
			// It has ended since it was found.
			return false;
		}
	});
const noneIsLeft = () => until(async () => (await displayServers()).length === 0, "no display is left");
const order = () => scene.dashboard.order("new", { stopCondition: "interrupt", stopConditionConfig: {} });
const never = (sentence: string) => expect.fail(sentence);

test("programs that ask at the same time get displays of their own, at most as many as the runner makes, in their order", async () => {
	const client = await start(2);
	const waits: string[] = [];
	const held = new Set<string>();
	const areTwo = Promise.withResolvers<void>();
	const borrow = async (): Promise<void> => {
		const loan = await client.borrowDisplay({}, (sentence) => waits.push(sentence));
		expect(held).not.toContain(loan.id);
		held.add(loan.id);
		// The first display may be ready, and given back, long before the second one.
		if (held.size === 2) areTwo.resolve();
		await areTwo.promise;
		const { virtualDisplays } = await client.status();
		expect(virtualDisplays.used).toBeLessThanOrEqual(2);
		expect((await displayServers()).length).toBeLessThanOrEqual(2);
		held.delete(loan.id);
		await loan.stop();
	};
	await Promise.all(Array.from({ length: 8 }, borrow));
	expect(waits).toEqual(Array.from({ length: 6 }, () => "Waiting: all 2 virtual displays of this runner are in use."));
	expect((await client.status()).virtualDisplays).toEqual({ maximum: 2, used: 0, lent: 0 });
	await noneIsLeft();
});

inExplore(test)("programs that give up while they wait leave no place taken, of a hundred that ask", async () => {
	const client = await start(1);
	const loan = await client.borrowDisplay({}, never);
	const before = await displayServers();
	let waiting = 0;
	const script = `const { request } = require("node:http");
		const { openSync } = require("node:fs");
		const socketPath = "/proc/self/fd/" + openSync(process.argv[1], "r") + "/control.sock";
		for (let count = 0; count < 99; count++)
			request({ socketPath, method: "POST", path: "/displays", agent: false }, (answer) =>
				answer.on("data", (data) => process.stdout.write(data))).end("{}");`;
	const crowd = startChild(process.execPath, ["-e", script, scene.dataDir], { env: process.env });
	await until(
		() => {
			waiting = crowd
				.output()
				.split("\n")
				.filter((line) => line.includes("Waiting: all 1")).length;
			return waiting === 99;
		},
		() => `99 programs wait, ${waiting} do`,
	);
	expect(await displayServers()).toEqual(before);
	crowd.process.kill("SIGKILL");
	await crowd.exited;
	await loan.stop();
	const next = await client.borrowDisplay({}, () => undefined);
	await next.stop();
	expect((await client.status()).virtualDisplays).toEqual({ maximum: 1, used: 0, lent: 0 });
});

test("a display has what was asked for, the runner's size otherwise, and names its runner", async () => {
	const client = await start(1);
	const usual = await client.borrowDisplay({}, never);
	const { runnerId } = (await client.status()).dashboard;
	expect(usual).toMatchObject({ width: 320, height: 200, runnerId, runner: expect.any(String) });
	await usual.stop();
	const sized = await client.borrowDisplay({ width: 400, height: 304, depth: 16 }, never);
	expect(sized).toMatchObject({ width: 400, height: 304 });
	await sized.stop();
});

inExplore(test).each([{ width: 1, height: 1 }, { width: 16_384, height: 9_000 }, { depth: 8 }, { name: "mine" }])(
	"an order of %j is refused",
	async (order) => {
		const client = await start(1);
		await expect(client.borrowDisplay(order as object, never)).rejects.toMatchObject({ code: "bad_order" });
		expect((await client.status()).virtualDisplays.used).toBe(0);
	},
);

test("a runner that makes no displays says how it would", async () => {
	const client = await start(0);
	await expect(client.borrowDisplay({}, never)).rejects.toThrow("set TAPEDECK_VIRTUAL_DISPLAYS, such as to 8");
});

test("a program that is killed leaves no display, and the next one that waits gets one", async () => {
	const client = await start(1);
	const first = startCommand(["display", "--", "sh", "-c", "echo first; exec sleep 60"], env());
	await first.says("first");
	const second = startCommand(["display", "--", "sh", "-c", 'echo "second on $DISPLAY"'], env());
	await second.says("tapedeck: Waiting: all 1 virtual displays of this runner are in use.");
	const third = startCommand(["display", "--", "true"], env());
	await third.says("Waiting");
	third.process.kill("SIGKILL");
	await third.exited;
	first.process.kill("SIGKILL");
	expect(await second.exited, second.output()).toBe(0);
	expect(second.output()).toMatch(/second on :\d+/);
	await until(async () => (await client.status()).virtualDisplays.used === 0, "all displays are given back");
	await noneIsLeft();
});

inExplore(test)("a display whose Xvfb is killed makes room for the next", async () => {
	const client = await start(1);
	await client.borrowDisplay({}, never);
	for (const pid of await displayServers()) process.kill(pid, "SIGKILL");
	const next = await client.borrowDisplay({}, () => undefined);
	await next.stop();
});

inExplore(test)(
	"a job for a new display waits until a program gives one back, and programs wait for jobs",
	async () => {
		const client = await start(1);
		const loan = await client.borrowDisplay({}, never);
		const job = order();
		const cancelled = order();
		scene.dashboard.cancel(cancelled);
		await until(() => cancelled.status === "cancelled", "the cancelled job ends without a display");
		await loan.stop();
		await scene.status(job, "recording");
		const waits: string[] = [];
		const next = client.borrowDisplay({}, (sentence) => waits.push(sentence));
		await until(() => waits.length === 1, "the program waits");
		scene.dashboard.cancel(job);
		await scene.status(job, "completed");
		await (await next).stop();
	},
);

test("a lent display is recorded by its number, and listed nowhere", async () => {
	const client = await start(1);
	const loan = await client.borrowDisplay({}, never);
	const job = scene.dashboard.order(loan.id, {
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 1 },
	});
	await scene.status(job, "completed");
	expect(scene.dashboard.displays.map(({ id }) => id)).not.toContain(loan.id);
	await loan.stop();
});

inExplore(test)("a lent display is cleared once its windows are closed, and is not while one stays open", async () => {
	await start(1);
	const loan = await borrow({ dataDir: scene.dataDir, runner: "lender", runnerId: 1 }, { width: 320, height: 200 });
	expect(await loan.cleared()).toBe(true);
	const place = { x: 0, y: 0, width: 100, height: 100 };
	const window = await openWindow({ number: Number(loan.id.slice(1)) }, { title: "open", color: 0xff0000, ...place });
	expect(await loan.cleared()).toBe(false);
	const isClear = loan.cleared();
	await window.close();
	expect(await isClear).toBe(true);
	await loan.stop();
	expect(await loan.cleared()).toBe(true);
});

inExplore(test)("a runner that stops ends the displays that it has lent, and those who wait learn why", async () => {
	const client = await start(1);
	await client.borrowDisplay({}, never);
	const waits: string[] = [];
	const waiting = expect(client.borrowDisplay({}, (sentence) => waits.push(sentence))).rejects.toThrow(
		"The runner is stopping and lends no displays; start it again first.",
	);
	await until(() => waits.length === 1, "the second waits");
	await scene.runner.stop(10_000);
	await waiting;
	await noneIsLeft();
});

test("tapedeck run records a display of the runner", async () => {
	await start(1);
	const { status, text } = await tapedeck(
		["run", "--new-display", "400x304", "--", "sh", "-c", "tapedeck_display=$DISPLAY; echo ran on $tapedeck_display"],
		env(),
	);
	expect(status, text).toBe(0);
	expect(text).toMatch(/ran on :\d+/);
	await noneIsLeft();
});

const env = (): Record<string, string> => ({ TAPEDECK_DATA_DIR: scene.dataDir, TMPDIR: join(scene.folder, "tmp") });
