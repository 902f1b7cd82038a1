/** The owner of test results: a job, an uploaded recording, or a test run. */
import type { Labels } from "@tapedeck/contract/labels.ts";

/** In this order: a result of a test run may have a recording that shows it, which does not own it. */
const COLUMNS = ["jobId", "testRunId", "recordingId"] as const;

/** The first one that is set is the owner. */
export type OwnerIds = Record<(typeof COLUMNS)[number], number | null>;

export interface ResultOwner extends OwnerIds {
	organizationId: number;
	labels: Labels;
	/** The beginning of results that do not say when they began. */
	startedAt: number;
	/** Its failures are never new. */
	isQuiet: boolean;
}

/** The column of `testResult` that refers to the owner, and the owner's id. */
export function ownerColumn(ids: OwnerIds): { column: keyof OwnerIds; id: number } {
	for (const column of COLUMNS) {
		const id = ids[column];
		if (id !== null) return { column, id };
	}
	throw new Error("a test result belongs to nothing");
}

export const ownedByJob = (jobId: number): OwnerIds => ({ jobId, recordingId: null, testRunId: null });
export const ownedByUpload = (recordingId: number): OwnerIds => ({ jobId: null, recordingId, testRunId: null });
export const ownedByRun = (testRunId: number): OwnerIds => ({ jobId: null, recordingId: null, testRunId });
