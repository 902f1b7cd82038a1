/** `tapedeck run --gate`: the exit status is 0 if every failure of the command's tests is known. */
import { API_KEY } from "@tapedeck/machine/runner-variables.ts";
import type { Gate } from "../../clients/typescript/src/index.ts";
import { errorMessage } from "../base/fault.ts";
import { fromEnvironment } from "../config/settings.ts";
import type { CommandEnd } from "./child-command.ts";
import type { Call } from "./command.ts";
import type { ResultIds, testReports } from "./test-reports.ts";

/** A dashboard that takes longer lets nothing pass. */
const TIMEOUT_MS = 5_000;
/** Causes that a line names. */
const MAX_CAUSES = 5;
const MAX_TITLE = 100;
export const NOT_ASKED =
	"The gate was not asked, because the results have not arrived: the command's own status stays.";

interface Asked {
	jobUrl: string;
	resultIds: ResultIds;
	reports: Awaited<ReturnType<typeof testReports>>;
	command: CommandEnd;
}

/** Says what it decides. @returns 0, or the command's own status if anything is new or unclear. */
export async function gateStatus(call: Call, asked: Asked): Promise<number> {
	const { status } = asked.command;
	const say = (sentence: string): number => {
		call.remark(`tapedeck: ${sentence}`);
		return status;
	};
	const why = whyNot(asked);
	if (why !== null) return say(`The gate stays shut: ${why}.`);
	try {
		const gate = await ask(call, asked);
		say(sentenceOf(gate));
		if (!gate.passes) return status;
		say(`CI passes: every failure is known. The command itself ended with ${status}.`);
		return 0;
	} catch (error) {
		return say(
			`The gate could not be asked: ${errorMessage(error).replace(/\.$/, "")}. The command's own status stays.`,
		);
	}
}

/** What shows before anybody is asked that something else went wrong; null if nothing does. */
function whyNot({ command, reports, resultIds }: Asked): string | null {
	const { failed } = reports;
	if (command.broken) return "the command did not end by itself";
	if (!reports.isWhole) return "not all test reports were read";
	if (failed.length === 0) return "the command failed, and no test did";
	// Test runners end with 1 if tests failed, or with their number; with anything else for what is worse.
	if (command.status !== 1 && command.status !== failed.length) return `the command ended with ${command.status}`;
	if (failed.some(({ key }) => !resultIds.has(key))) return "not all results have arrived";
	return null;
}

async function ask(call: Call, { jobUrl, resultIds, reports }: Asked): Promise<Gate> {
	const apiKey = call.env[API_KEY];
	const url = fromEnvironment(call.env, "url");
	if (!apiKey || url === undefined) throw new Error("it needs TAPEDECK_URL and TAPEDECK_API_KEY");
	const { Tapedeck } = await import("../../clients/typescript/src/index.ts");
	const client = new Tapedeck({ url, apiKey, retries: 0 });
	const failed = [...new Set(reports.failed.flatMap(({ key }) => resultIds.get(key) ?? []))];
	const jobId = Number(/\/jobs\/(\d+)$/.exec(jobUrl)?.[1]);
	return client.jobs.gate(jobId, { failed }, { signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/** Such as: 3 causes: 2 known (…), 1 new: Checkout › pays. */
function sentenceOf({ known, new: added, refusal }: Gate): string {
	const all = known.length + added.length;
	const parts = [
		...(known.length === 0 ? [] : [`${known.length} known (${listOf(known.map(knownAs), "; ")})`]),
		...(added.length === 0 ? [] : [`${added.length} new: ${listOf(added.map(newAs), ", ")}`]),
	];
	const causes = `${all} ${all === 1 ? "cause" : "causes"}: ${parts.join(", ")}.`;
	return refusal === null ? causes : `${causes} ${refusal}`;
}

const knownAs = ({ title, owner, mutedUntil }: Gate["known"][number]): string =>
	`let through by ${owner} until ${mutedUntil.slice(0, 10)}: ${cut(title)}`;

const newAs = ({ title, names: [name], tests }: Gate["new"][number]): string => {
	const more = tests > 1 ? ` and ${tests - 1} more` : "";
	return name === undefined ? cut(title) : `${cut(name)}${more}`;
};

function listOf(texts: readonly string[], separator: string): string {
	const more = texts.length > MAX_CAUSES ? `${separator}and ${texts.length - MAX_CAUSES} more` : "";
	return texts.slice(0, MAX_CAUSES).join(separator) + more;
}

const cut = (text: string): string => (text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE)}…` : text);
