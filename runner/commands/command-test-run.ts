/**
 * The test run around a command that has no display: the results of its reports, without a recording. Nothing here ever fails
 * the command: what goes wrong is a warning.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { errorMessage } from "../base/fault.ts";
import { trackFile } from "../spool/track-files.ts";
import { clientOf } from "./api/dashboard-client.ts";
import type { CommandEnd } from "./child-command.ts";
import type { Call } from "./command.ts";
import { CONTROLS } from "./command-log.ts";
import type { RecordingOrder } from "./command-recording.ts";
import { failedIds, gateStatus, NOT_ASKED } from "./gate.ts";
import { sendFiles } from "./imported-files.ts";
import { resultsOf } from "./imported-results.ts";
import { readReports, remarkRefused } from "./read-reports.ts";

/** Failed tests that are printed with their links. */
const MAX_LINKS = 50;
/** Maximum time that the command is delayed. */
const BEGIN_MS = 10_000;
const RETRIES = 3;

export interface CommandTestRun {
	/** Its build, or the dashboard. */
	readonly url: string;
	/** Folder of the command's output, until the end. */
	readonly folder: string;
	/** @returns the exit status: the command's own, unless the gate lets its failures pass. */
	end(command: CommandEnd, run: { startedAt: number; mask: SecretMask; lastLines: string }): Promise<number>;
}

/** @returns null without an API key, and after a warning when the run cannot be created. */
export async function startTestRun(
	call: Call,
	{ name, labels = {} }: Pick<RecordingOrder, "name" | "labels">,
): Promise<CommandTestRun | null> {
	let client: ReturnType<typeof clientOf>;
	try {
		client = clientOf(call.env, RETRIES);
	} catch {
		return null;
	}
	try {
		const signal = AbortSignal.timeout(BEGIN_MS);
		const { id, url } = await client.testRuns.create({ name, labels, source: "tapedeck run" }, { signal });
		const folder = await mkdtemp(join(tmpdir(), "tapedeck-run-"));
		return {
			url: url ?? client.url,
			folder,
			end: (command, run) =>
				end(call, { client, id, folder }, command, run)
					.catch((error) => {
						call.remark(`tapedeck: The test run is not complete: ${sentenceOf(error)}`);
						if (call.values.gate === true) call.remark(`tapedeck: ${NOT_ASKED}`);
						return command.status;
					})
					.finally(() => rm(folder, { recursive: true, force: true })),
		};
	} catch (error) {
		call.remark(`tapedeck: No test run could be created: ${sentenceOf(error)}`);
		return null;
	}
}

const sentenceOf = (error: unknown): string => `${errorMessage(error).replace(/\.$/, "")}.`;

async function end(
	call: Call,
	{ client, id, folder }: { client: ReturnType<typeof clientOf>; id: number; folder: string },
	command: CommandEnd,
	{ startedAt, mask, lastLines }: Parameters<CommandTestRun["end"]>[1],
): Promise<number> {
	const { report, allure } = call.values;
	const paths = [...(Array.isArray(report) ? report : []), ...(typeof allure === "string" ? [allure] : [])];
	const { files, refused, problem } = await readReports({ paths, since: startedAt }, null);
	remarkRefused(call, refused);
	if (problem !== null) call.remark(`tapedeck: Not all reports were read: ${problem}.`);
	const results = resultsOf(
		files.flatMap(({ tests }) => tests),
		mask,
	);
	const stored = results.length === 0 ? [] : await client.testRuns.addTests(id, results);
	await sendFiles(call, client, { reports: files, stored, mask });
	await attachOutput(client, id, folder).catch((error) =>
		call.remark(`tapedeck: The output of the command is not attached: ${sentenceOf(error)}`),
	);
	const outcome = command.broken ? "error" : command.status === 0 ? "passed" : "failed";
	const message = mask.apply([command.sentence, lastLines].filter(Boolean).join("\n\n"));
	const run = await client.testRuns.end(id, { outcome, ...(outcome === "passed" ? {} : { message }) });
	const count = stored.length === 1 ? "1 result" : `${stored.length} results`;
	call.remark(`tapedeck: Test run (${count}): ${run.url ?? client.url}`);
	const failed = stored.filter((result) => isFailure(result.outcome));
	for (const { id, testId, test } of failed.slice(0, MAX_LINKS)) {
		call.remark(`tapedeck:   ${test}: ${client.url}/tests/${testId}?result=${id}`);
	}
	if (failed.length > MAX_LINKS) call.remark(`tapedeck:   and ${failed.length - MAX_LINKS} more failed tests`);
	if (call.values.gate !== true || outcome === "passed") return command.status;
	const isWhole = problem === null && refused.length === 0;
	return gateStatus(call, { owner: { testRunId: id }, isWhole, failed: failedIds(stored), command });
}

/** The lines of the command as a file of the test run. Secrets are masked in them. */
async function attachOutput(client: ReturnType<typeof clientOf>, id: number, folder: string): Promise<void> {
	const written = await readFile(trackFile(folder, "log"), "utf8").catch(() => "");
	const lines = written
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => (JSON.parse(line) as { text: string }).text.replace(CONTROLS, "").trimEnd());
	if (lines.length === 0) return;
	await client.testRuns.addAttachment(id, { name: "output.txt", content: `${lines.join("\n")}\n` });
}
