/** `tapedeck run --allure`: what the command wrote for Allure gets the link of each test, and clips of those that failed. */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { API_KEY } from "@tapedeck/machine/runner-variables.ts";
import * as z from "zod";
import { errorMessage } from "../base/fault.ts";
import type { Call } from "./command.ts";
import { writeClipOf } from "./failure-clip.ts";

const MAX_RESULTS = 10_000;
const MAX_RESULT_BYTES = 16 * 1024 * 1024;
/** A run in which everything fails needs no clip of each test. */
const MAX_CLIPS = 10;
/** The link of a test that failed begins so long before its end, but within the test: the page selects what ran then. */
const LINK_LEAD_SECONDS = 5;
const CLIP_LEAD_SECONDS = 10;
const CLIP_AFTER_SECONDS = 2;

/** A file `<uuid>-result.json`, with what else it has. */
const resultSchema = z.looseObject({
	status: z.string().optional(),
	/** Milliseconds since 1970. */
	start: z.number(),
	stop: z.number(),
	links: z.array(z.unknown()).default([]),
	attachments: z.array(z.unknown()).default([]),
});

interface FoundResult {
	file: string;
	result: z.output<typeof resultSchema>;
	hasFailed: boolean;
}

interface AllureRun {
	/** The job's page. */
	url: string;
	/** When the command was started: older files are of another run. */
	startedAt: number;
	/** The first frame. Both are milliseconds since 1970. */
	from: number;
}

/**
 * Never fails the command: what goes wrong is a warning.
 * @param folder such as `allure-results`.
 * @param gaveUp aborts when the user does not want to wait any longer.
 */
export async function addToAllure(call: Call, folder: string, run: AllureRun, gaveUp: AbortSignal): Promise<void> {
	try {
		const found = await resultsIn(folder, run);
		const clips = await addClips(call, folder, found, run, gaveUp);
		for (const each of found) {
			const link = { name: "Recording", url: linkOf(each, run), type: "tapedeck" };
			await replace(each.file, { ...each.result, links: [...each.result.links, link] });
		}
		const tests = found.length === 1 ? "1 test" : `${found.length} tests`;
		const withClips = clips === 0 ? "" : `, ${clips === 1 ? "1 failure has a clip" : `${clips} failures have clips`}`;
		call.remark(`tapedeck: Allure: ${tests} in ${folder} got a link${withClips}.`);
	} catch (error) {
		call.remark(`tapedeck: The Allure results in ${folder} have no links: ${sentenceOf(error)}`);
	}
}

/** Results of this run, in the order in which they ended. */
async function resultsIn(folder: string, { startedAt, from }: AllureRun): Promise<FoundResult[]> {
	const names = (await readdir(folder)).filter((name) => name.endsWith("-result.json"));
	const found: FoundResult[] = [];
	for (const name of names.slice(0, MAX_RESULTS)) {
		const file = join(folder, name);
		const { mtimeMs, size } = await stat(file);
		if (mtimeMs < startedAt || size > MAX_RESULT_BYTES) continue;
		const { data: result } = resultSchema.safeParse(parsed(await readFile(file, "utf8")));
		if (result === undefined || result.stop < from) continue;
		found.push({ file, result, hasFailed: result.status === "failed" || result.status === "broken" });
	}
	return found.sort((a, b) => a.result.stop - b.result.stop);
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return null;
	}
}

/** Attaches clips of the first failures. @returns the number of clips. */
async function addClips(
	call: Call,
	folder: string,
	found: readonly FoundResult[],
	{ url, from }: AllureRun,
	gaveUp: AbortSignal,
): Promise<number> {
	if (!call.env[API_KEY]) return 0;
	let clips = 0;
	for (const { result } of found.filter(({ hasFailed }) => hasFailed).slice(0, MAX_CLIPS)) {
		const failedAt = secondsBetween(from, result.stop);
		const stretch = { from: Math.max(0, failedAt - CLIP_LEAD_SECONDS), to: failedAt + CLIP_AFTER_SECONDS };
		const source = `${randomUUID()}-attachment.mp4`;
		try {
			await writeClipOf(call, url, stretch, join(folder, source), gaveUp);
		} catch (error) {
			call.remark(`tapedeck: A clip for Allure could not be written: ${sentenceOf(error)}`);
			return clips;
		}
		result.attachments.push({ name: "Recording of the failure", source, type: "video/mp4" });
		clips += 1;
	}
	return clips;
}

function linkOf({ result, hasFailed }: FoundResult, { url, from }: AllureRun): string {
	const [start, stop] = [secondsBetween(from, result.start), secondsBetween(from, result.stop)];
	const at = hasFailed ? Math.max(start, stop - LINK_LEAD_SECONDS) : start;
	return `${url}?t=${Math.max(0, at)}`;
}

const secondsBetween = (from: number, to: number): number => Math.round(to - from) / 1_000;

/** It appears when it is whole. */
async function replace(file: string, result: object): Promise<void> {
	const part = `${file}.${randomUUID()}.part`;
	try {
		await writeFile(part, JSON.stringify(result), { flag: "wx" });
		await rename(part, file);
	} finally {
		await rm(part, { force: true });
	}
}

const sentenceOf = (error: unknown): string => `${errorMessage(error).replace(/\.$/, "")}.`;
