import { existsSync } from "node:fs";
import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { expect, onTestFinished, test } from "vitest";
import { reservedNumber, startXvfb } from "../../test/displays/xvfb.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { until } from "../../test/wait.ts";
import { AllowedDisplays } from "../displays/allowed-displays.ts";
import { parseDisplayName } from "../displays/display-name.ts";
import { openOnce } from "../displays/displays.ts";
import { checkCapture, checkDisplays } from "./check-displays.ts";

const refusal = { code: "display_unavailable", what: "refuses the runner", remedy: "allow it with xhost" };
const refused = [":0", ":99"].map((id) => ({ id, ...refusal }));
const open = { id: ":5", xName: ":5", width: 640, height: 360 };
const levelsOf = (displays: (typeof open)[], wanted: string | null) =>
	checkDisplays({ displays, refused, allowed: null }, wanted, null).map(({ level }) => level);

test("a display that refuses the runner is a failure if it is the configured one, or if there is nothing else to record", () => {
	expect(levelsOf([], ":99")).toEqual(["warning", "failure"]);
	expect(levelsOf([open], ":99")).toEqual(["ok", "warning", "failure"]);
	expect(levelsOf([open], ":5")).toEqual(["ok", "warning", "warning"]);
	expect(levelsOf([], null)).toEqual(["failure", "failure"]);
	expect(levelsOf([open], null)).toEqual(["ok", "warning", "warning"]);
});

test("a wanted display that is not there is the failure, whatever other displays refuse", () => {
	expect(levelsOf([], ":7")).toEqual(["warning", "warning", "failure"]);
});

test("a display whose number another X server takes during the check is captured again, and gone ones are warnings", async () => {
	const number = reservedNumber();
	let server = await startXvfb({ number });
	onTestFinished(() => server.stop());
	const folder = await temporaryFolder("check-displays");
	const program = join(folder, "ffmpeg");
	await writeFile(
		program,
		`#!/bin/sh\necho >> ${folder}/started\nuntil [ -e ${folder}/ended ]; do sleep 0.05; done\nexec ${requireProgram("ffmpeg")} "$@"\n`,
	);
	await chmod(program, 0o755);
	const found = { id: `:${number}`, xName: `:${number}.0`, width: 640, height: 360 };
	/** @param meanwhile is awaited before the display is opened again. */
	const check = async (meanwhile: () => Promise<unknown>) => {
		await rm(join(folder, "started"), { force: true });
		await rm(join(folder, "ended"), { force: true });
		let attempts = 0;
		const open = async () => {
			if (attempts++ > 0) await meanwhile();
			return openOnce(found.id, parseDisplayName(found.xName), "", AllowedDisplays.all);
		};
		const checked = checkCapture([found], { program, env: process.env, video: videoFormat({}) }, open);
		await until(() => existsSync(join(folder, "started")), "ffmpeg is started");
		await server.kill();
		await writeFile(join(folder, "ended"), "");
		return checked;
	};

	const replaced = async () => {
		server = await startXvfb({ number, width: 320, height: 200 });
	};
	expect(await check(replaced)).toEqual([
		{ check: "capture", level: "ok", message: `ffmpeg captures :${number}`, remedy: null },
	]);
	expect(await check(async () => undefined)).toEqual([
		expect.objectContaining({ level: "warning", message: `:${number} disappeared during the check` }),
	]);
});
