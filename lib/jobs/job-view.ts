/** Jobs as the API returns them. */
import type { Job, Selector } from "@tapedeck/contract/job.ts";
import type { Context } from "#lib/core/context.ts";
import { roundedSeconds, timestamp, timestampOrNull } from "#lib/core/times.ts";
import { type JobViewRow, jobError } from "#lib/lifecycle/job-store.ts";
import { readLabels, readVideoFormat, readVideoOptions } from "#lib/lifecycle/labels.ts";
import { deletedOf } from "#lib/lifecycle/recording-store.ts";
import { publicStopRule } from "#lib/lifecycle/stop-rule.ts";

/** @returns the job as in the contract; `recording` is null until its first byte is stored. */
export function jobView(ctx: Pick<Context, "baseUrl">, row: JobViewRow): Job {
	return {
		id: row.id,
		organizationId: row.organizationId,
		runnerId: row.runnerId,
		displayId: row.displayId,
		name: row.name,
		selector: row.selector === null ? null : (JSON.parse(row.selector) as Selector),
		labels: readLabels(row),
		outcome: row.outcome,
		keep: row.keep ?? "always",
		pinned: (row.recordingPinned ?? row.pinned) !== 0,
		maxDurationSeconds: row.maxDurationSeconds,
		video: readVideoOptions(row),
		preSeconds: row.preSeconds,
		...(row.type === "recording"
			? { type: row.type, ...publicStopRule(row) }
			: {
					...{ stopCondition: null, stopConditionConfig: null },
					...(row.type === "screenshot" ? { type: row.type } : { type: row.type, path: row.filePath ?? "" }),
				}),
		status: row.status,
		stopReason: row.stopReason,
		error: jobError(row),
		createdAt: timestamp(row.createdAt),
		startedAt: timestampOrNull(row.startedAt),
		stoppedAt: timestampOrNull(row.stoppedAt),
		endedAt: timestampOrNull(row.endedAt),
		cancelRequestedAt: timestampOrNull(row.cancelRequestedAt),
		createdBy: createdByOf(row),
		recording: recordingOf(ctx, row),
		deletedRecording: deletedRecordingOf(row),
		...(row.newDisplay === null ? {} : { display: JSON.parse(row.newDisplay) as Job["display"] }),
	};
}

function createdByOf(row: JobViewRow): Job["createdBy"] {
	if (row.createdByKind === null || row.createdById === null) return null;
	return { kind: row.createdByKind, id: row.createdById, name: row.createdByName ?? "" };
}

function recordingOf(ctx: Pick<Context, "baseUrl">, row: JobViewRow): Job["recording"] {
	if (row.recordingId === null || row.recordingState === null || !row.recordingBytes) return null;
	if (row.recordingRemovedAt !== null) return null;
	return {
		id: row.recordingId,
		kind: row.recordingKind ?? "video",
		state: row.recordingState,
		url: `${ctx.baseUrl}/recordings/${row.recordingId}`,
		durationSeconds: roundedSeconds(row.recordingDurationSeconds ?? 0),
		bytes: row.recordingDownloadBytes ?? row.recordingBytes,
		width: row.recordingWidth,
		height: row.recordingHeight,
		video: readVideoFormat(row.usedVideo),
		verdict: row.recordingVerdict,
		deleteAt: row.recordingPinned === 0 ? timestampOrNull(row.recordingDeleteAt) : null,
	};
}

function deletedRecordingOf(row: JobViewRow): Job["deletedRecording"] {
	if (row.recordingId === null) return null;
	return deletedOf({
		id: row.recordingId,
		deletedAt: row.recordingRemovedAt,
		purgeAt: row.recordingPurgeAt,
		deletedBy: row.recordingDeletedBy,
		deletedFor: row.recordingDeletedFor,
	});
}
