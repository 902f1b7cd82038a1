/** A recording as answers carry it. */
import type { Recording } from "../contract/recording.ts";
import { roundedSeconds } from "../core/rounded-seconds.ts";
import type { RecordingRow } from "../lifecycle/recording-store.ts";

export function recordingView(ctx: { baseUrl: string }, row: RecordingRow): Recording {
	const api = `${ctx.baseUrl}/v1/recordings/${row.id}`;
	return {
		id: row.id,
		organizationId: row.organizationId,
		jobId: row.jobId,
		runnerId: row.runnerId,
		name: row.name,
		state: row.state,
		contentType: row.contentType,
		durationSeconds: roundedSeconds(row.durationSeconds),
		bytes: row.downloadBytes ?? row.bytes,
		width: row.width,
		height: row.height,
		createdAt: new Date(row.createdAt).toISOString(),
		verdict: row.verdict,
		pinned: row.pinned !== 0,
		url: `${ctx.baseUrl}/recordings/${row.id}`,
		videoUrl: `${api}/video`,
		posterUrl: `${api}/poster`,
	};
}
