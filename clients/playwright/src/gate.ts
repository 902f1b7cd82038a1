/** The gate of a run, as `tapedeck run --gate` has it: known failures do not fail the run. */
import { type Run, sentence } from "./run.ts";

/** A dashboard that takes longer lets nothing pass. */
export const GATE_MS = 5_000;

export interface FailedRun {
	/** Keys of the last results of tests that failed. */
	failed: readonly string[];
	/** Another reason for the failure, such as "the run stopped early"; null if there is none. */
	problem: string | null;
}

/** Says what the gate decides. @returns whether the run passes. */
export async function passesGate(
	run: Pick<Run, "gate">,
	{ failed, problem }: FailedRun,
	say: (sentence: string) => void,
): Promise<boolean> {
	const why = problem ?? (failed.length === 0 ? "the run failed, and no test did" : null);
	if (why !== null) {
		say(`The gate stays shut: ${why}.`);
		return false;
	}
	try {
		const gate = await run.gate(failed);
		say(gate.summary);
		if (gate.passes) say("CI passes: every failure is known.");
		return gate.passes;
	} catch (error) {
		say(`The gate could not be asked: ${sentence(error)} The run stays failed.`);
		return false;
	}
}

/** Ids of stored results. @throws if one was not stored. */
export function storedIds(
	failed: readonly string[],
	stored: (key: string) => { id: number } | undefined,
): { failed: number[] } {
	return {
		failed: failed.map((key) => {
			const result = stored(key);
			if (result === undefined) throw new Error("Not all results have arrived.");
			return result.id;
		}),
	};
}
