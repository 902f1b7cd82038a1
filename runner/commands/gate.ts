/** `tapedeck run --gate` and `tapedeck import --gate`: the exit status is 0 if every failure of the tests is known. */

import type { Gate, TestResult } from "@tapedeck/client-source/index.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { errorMessage } from "../base/fault.ts";
import { clientOf } from "./api/dashboard-client.ts";
import type { CommandEnd } from "./child-command.ts";
import { type Call, EXIT } from "./command.ts";

/** A dashboard that takes longer lets nothing pass. */
const TIMEOUT_MS = 5_000;
export const NOT_ASKED =
	"The gate was not asked, because the results have not arrived: the command's own status stays.";

interface Asked {
	/** The job or test run that has the results. */
	owner: { jobId: number } | { testRunId: number };
	/** Whether all reports were read. */
	isWhole: boolean;
	/** Ids of the last results of tests that failed; undefined for those that have not arrived. */
	failed: readonly (number | undefined)[];
	/** Null if reports were imported, of which all have arrived: then the status is 1. */
	command: CommandEnd | null;
}

/** Says what it decides. @returns 0, or the command's own status if anything is new or unclear. */
export async function gateStatus(call: Call, asked: Asked): Promise<number> {
	const { command } = asked;
	const status = command?.status ?? EXIT.failed;
	const say = (sentence: string): number => {
		call.remark(`tapedeck: ${sentence}`);
		return status;
	};
	const why = whyNot(asked);
	if (why !== null) return say(`The gate stays shut: ${why}.`);
	try {
		const gate = await ask(call, asked);
		say(gate.summary);
		if (!gate.passes) return status;
		const own = command === null ? "" : ` The command itself ended with ${status}.`;
		say(`CI passes: every failure is known.${own}`);
		return 0;
	} catch (error) {
		return say(`The gate could not be asked: ${errorMessage(error).replace(/\.$/, "")}. The status stays ${status}.`);
	}
}

/** A reason that is known without asking the dashboard; null if there is none. */
function whyNot({ command, isWhole, failed }: Asked): string | null {
	if (command === null) return null;
	if (command.broken) return "the command did not end by itself";
	if (!isWhole) return "not all test reports were read";
	if (failed.length === 0) return "the command failed, and no test did";
	// Test runners end with 1 if tests failed, or with their number; with anything else for what is worse.
	if (command.status !== 1 && command.status !== failed.length) return `the command ended with ${command.status}`;
	if (failed.includes(undefined)) return "not all results have arrived";
	return null;
}

async function ask(call: Call, { owner, failed }: Asked): Promise<Gate> {
	const client = clientOf(call.env);
	const body = { failed: [...new Set(failed.flatMap((id) => id ?? []))] };
	const options = { signal: AbortSignal.timeout(TIMEOUT_MS) };
	return "jobId" in owner
		? client.jobs.gate(owner.jobId, body, options)
		: client.testRuns.gate(owner.testRunId, body, options);
}

/** The last result of each test, if it is a failure: a retry that passes makes a failure none. */
export function failedIds(stored: readonly Pick<TestResult, "id" | "testId" | "attempt" | "outcome">[]): number[] {
	const last = new Map<number, (typeof stored)[number]>();
	for (const result of stored) {
		if (result.attempt >= (last.get(result.testId)?.attempt ?? 0)) last.set(result.testId, result);
	}
	return [...last.values()].flatMap(({ id, outcome }) => (isFailure(outcome) ? [id] : []));
}
