/**
 * `npm run compare:presets`: the cost and the look of each video preset: the same page, recorded with each, in turns.
 * `--write` writes the table and the pictures of docs/video-quality.md.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { PRESET_CRF, VIDEO_PRESETS, type VideoPreset } from "@tapedeck/contract/video-kinds.ts";
import { median } from "#lab/bench/figures.ts";
import { describeRun } from "#lab/bench/machine.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { root } from "#test/stack.ts";
import {
	type Cost,
	onStage,
	options,
	ROUNDS,
	recordingCost,
	type Screen,
	SETTLE_MS,
	type Stage,
	startJob,
	stopJob,
	tableOf,
	WINDOW_MS,
	whileShown,
	writeTable,
} from "./stage.ts";

const HELP = `npm run compare:presets [-- options]
  --write           write the table and the pictures of docs/video-quality.md
  --rounds <n>      how often each screen is recorded with each preset (3)
  --seconds <n>     how long each time (20)`;
const SCREENS: readonly Screen[] = ["still", "web", "moving"];
/** A part of the page with some of each column, by ffmpeg's filter: small enough to be shown pixel by pixel. */
const CROP = "crop=760:176:0:8";

async function comparePresets(): Promise<void> {
	const { commit, date, machine, load } = describeRun();
	const rows = [["CRF", ...VIDEO_PRESETS.map((preset) => String(PRESET_CRF[preset]))]];
	await onStage(async (stage) => {
		if (options.write) await whileShown(stage, "text", () => takePictures(stage));
		for (const screen of SCREENS) {
			await whileShown(stage, screen, async () => {
				rows.push(...costRows(screen, await costs(stage)));
			});
		}
	});
	const of = `Commit ${commit}, ${date}; ${machine}; load average ${load} before the run.`;
	const table = `${tableOf(VIDEO_PRESETS, rows)}\n\n${of} Medians of ${ROUNDS} rounds of ${WINDOW_MS / 1_000} s.`;
	console.log(table);
	if (options.write) await writeTable("docs/video-quality.md", "presets", table);
}

/** Measures the CPU cost of each preset for the displayed screen, in turns. */
async function costs(stage: Stage): Promise<Cost[][]> {
	const all = VIDEO_PRESETS.map(() => [] as Cost[]);
	for (let round = 0; round < ROUNDS; round += 1) {
		for (const [index, preset] of VIDEO_PRESETS.entries()) {
			all[index]?.push(await recordingCost(stage, WINDOW_MS, { preset }));
		}
	}
	return all;
}

function costRows(screen: Screen, rounds: readonly Cost[][]): string[][] {
	const row = (what: string, unit: string, digits: number, of: (cost: Cost) => number) => [
		`${screen}: ${what}`,
		...rounds.map((costs) => `${median(costs.map(of)).toFixed(digits)} ${unit}`),
	];
	return [row("processor time", "% of a core", 1, ({ cpu }) => cpu), row("video", "kB/s", 0, ({ bytes }) => bytes)];
}

/** Takes a picture of the display itself, and of its recording with each preset. */
async function takePictures(stage: Stage): Promise<void> {
	await takePicture("display", ["-f", "x11grab", "-draw_mouse", "0", "-i", `${stage.display.id}.0`]);
	for (const preset of VIDEO_PRESETS) await takePicture(preset, await record(stage, preset));
}

/** @returns ffmpeg's input of a recording's last second. */
async function record(stage: Stage, preset: VideoPreset): Promise<string[]> {
	const { url, apiKey } = stage.scene.dashboard;
	const id = await startJob(stage, { preset, cursor: false });
	await sleep(SETTLE_MS);
	const { recording } = await stopJob(stage, id);
	const video = `${url}/v1/recordings/${recording?.id}/video`;
	return ["-headers", `Authorization: Bearer ${apiKey}\r\n`, "-ss", String(SETTLE_MS / 1_000 - 1), "-i", video];
}

async function takePicture(name: string, input: readonly string[]): Promise<void> {
	const file = join(root, "docs/screenshots", `preset-${name}.png`);
	await promisify(execFile)(requireProgram("ffmpeg"), [
		...["-v", "error", "-y", ...input, "-frames:v", "1", "-vf", CROP, file],
	]);
}

if (options.help) console.log(HELP);
else await comparePresets();
process.exit();
