import { chmod, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Child } from "../test/processes/child.ts";
import { runnerScene } from "../test/runners/runner-scene.ts";
import { pause } from "../test/wait.ts";

const scene = runnerScene({ display: null });
const start = (env: Record<string, string> = {}) => scene.launch({ env });

/** Expects a single error sentence and exit status 1. */
async function refusal(runner: Child): Promise<string> {
	expect(await runner.exited).toBe(1);
	const errors = runner
		.output()
		.split("\n")
		.filter((line) => line.includes("error: "));
	expect(errors, runner.output()).toHaveLength(1);
	return errors[0] ?? "";
}
async function program(name: string, script: string): Promise<string> {
	const path = join(scene.folder, name);
	await writeFile(path, `#!/bin/sh\n${script}\n`);
	await chmod(path, 0o755);
	return path;
}

test("without ffmpeg: one sentence with the command that installs it, status 1", async () => {
	expect(await refusal(start({ TAPEDECK_FFMPEG: join(scene.folder, "none") }))).toContain("apt-get install ffmpeg");
});

test.each([
	["x11grab", 'case "$*" in *-encoders*) echo ffmpeg version 9; echo V libx264;; esac'],
	["libx264", 'case "$*" in *-encoders*) echo ffmpeg version 9;; *-devices*) echo D x11grab;; esac'],
])("an ffmpeg without %s: one sentence, status 1", async (ability, script) => {
	const sentence = await refusal(start({ TAPEDECK_FFMPEG: await program("ffmpeg", script) }));
	expect(sentence).toContain(`without ${ability};`);
	expect(sentence).toContain("apt-get install ffmpeg");
});

test.each([401, 403])("a refused token (%i): one sentence, status 1", async (status) => {
	const body = JSON.stringify({ code: status === 401 ? "unauthorized" : "forbidden", detail: "no" });
	scene.dashboard.refusal = { status, body, type: "application/problem+json" };
	expect(await refusal(start())).toContain("TAPEDECK_TOKEN");
});

test.each([
	["a web page", 200, "text/html", "<!doctype html>"],
	["another API", 200, "application/json", '{"hello":1}'],
	["a server without that path", 404, "text/html", "not found"],
])("%s at the URL: one sentence, status 1", async (_words, status, type, body) => {
	scene.dashboard.refusal = { status, body, type };
	const sentence = await refusal(start());
	expect(sentence).toContain("is not Tapedeck");
	expect(sentence).toContain("TAPEDECK_URL");
});

test("all configuration problems are reported at once, status 1", async () => {
	const runner = start({ TAPEDECK_URL: "nonsense", TAPEDECK_TOKEN: "", DISPLAY: "99" });
	expect(await runner.exited).toBe(1);
	for (const name of ["TAPEDECK_URL", "TAPEDECK_TOKEN", "DISPLAY"]) expect(runner.output()).toContain(`${name}: `);
});

test("a data directory that is in use or not writable is refused", async () => {
	await start().says("Connected to");
	expect(await refusal(start())).toContain("Another runner already uses the data directory");
	await writeFile(join(scene.folder, "file"), "");
	expect(await refusal(start({ TAPEDECK_DATA_DIR: join(scene.folder, "file", "data") }))).toContain(
		"TAPEDECK_DATA_DIR",
	);
});

test("a dashboard that is unreachable or answers 5xx is logged once and waited for", async () => {
	await scene.dashboard.goDown();
	const busy: Server = createServer((_request, response) => response.writeHead(503).end("starting"));
	const { port } = new URL(scene.dashboard.url);
	await new Promise<void>((resolve) => busy.listen(Number(port), "127.0.0.1", resolve));
	expect((busy.address() as AddressInfo).port).toBe(Number(port));
	const runner = start();
	await runner.says("responds with 503");
	busy.closeAllConnections();
	await new Promise<void>((resolve) => busy.close(() => resolve()));
	await pause(1_500);
	expect(runner.process.exitCode).toBeNull();
	await scene.dashboard.listen();
	await runner.says("Connected to");
	expect(runner.output().match(/warning: The dashboard/g)).toHaveLength(1);
});

test("a runner whose session another process keeps taking exits with one sentence", async () => {
	const runner = start();
	await runner.says("Connected to");
	const again = setInterval(() => scene.dashboard.supersede(), 300);
	try {
		expect(await refusal(runner)).toContain("Another process keeps signing in");
	} finally {
		clearInterval(again);
	}
});

test("a name in use by another runner is logged, and used once it is free", async () => {
	const body = JSON.stringify({ code: "runner_name_taken", detail: "taken" });
	scene.dashboard.refusal = { status: 409, body, type: "application/problem+json" };
	const runner = start();
	await runner.says("Another runner is connected under the name");
	scene.dashboard.refusal = null;
	await runner.says("Connected to");
});

test("an unreachable display is logged, not offered, and polled for", async () => {
	const runner = start({ DISPLAY: "127.0.0.1:55555" });
	await runner.says("Display 127.0.0.1:55555.0 (DISPLAY) not found yet");
	await runner.says("Connected to");
	expect(runner.process.exitCode).toBeNull();
	expect(scene.dashboard.displays.map(({ id }) => id)).not.toContain(":55555");
});
