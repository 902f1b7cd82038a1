/** Recordings as the API returns them. */
import type { Recording } from "@tapedeck/contract/recording.ts";
import { roundedSeconds, timestamp, timestampOrNull } from "#lib/core/times.ts";
import { readLabels, readVideoFormat } from "#lib/lifecycle/labels.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";

export function recordingView(ctx: { baseUrl: string }, row: RecordingRow): Recording {
	const api = `${ctx.baseUrl}/v1/recordings/${row.id}`;
	return {
		id: row.id,
		organizationId: row.organizationId,
		jobId: row.jobId,
		runnerId: row.runnerId,
		name: row.name,
		kind: row.kind,
		state: row.state,
		contentType: row.contentType,
		durationSeconds: roundedSeconds(row.durationSeconds),
		bytes: row.downloadBytes ?? row.bytes,
		width: row.width,
		height: row.height,
		video: readVideoFormat(row.video),
		createdAt: timestamp(row.createdAt),
		verdict: row.verdict,
		pinned: row.pinned !== 0,
		labels: readLabels(row),
		outcome: row.outcome,
		keep: row.keep ?? "always",
		deleteAt: row.pinned === 0 ? timestampOrNull(row.deleteAt) : null,
		keptUntil: timestampOrNull(row.keptUntil),
		url: `${ctx.baseUrl}/recordings/${row.id}`,
		videoUrl: `${api}/video`,
		posterUrl: `${api}/poster`,
	};
}
