/** The audit entries of a change of a job and its recording. */
import type { Context } from "#lib/core/context.ts";
import { type Audited, auditAll } from "./write-audit.ts";

/** The changes to record (lib/lifecycle/change-details.ts). */
interface Changed {
	job: { id: number; name: string } | null;
	recording: { id: number; name: string } | null;
	isRenamed: boolean;
	changes: Record<string, unknown>;
	isKept: boolean;
	pinned: boolean | null;
}

/**
 * Writes what changed; nothing if nothing did. Call it in the transaction of the change.
 * @param named what the caller named: the job or the recording.
 */
export async function auditChanges(
	ctx: Pick<Context, "actor" | "db" | "clock" | "address">,
	named: "job" | "recording",
	{ job, recording, isRenamed, changes, isKept, pinned }: Changed,
): Promise<void> {
	const subject = named === "job" ? job : recording;
	if (subject === null) return;
	const target = { kind: named, id: subject.id, name: subject.name };
	const ofRecording =
		recording === null ? target : ({ kind: "recording", id: recording.id, name: recording.name } as const);
	const entries: Audited[] = [];
	if (isRenamed) entries.push({ action: `${named}.renamed`, target });
	if (Object.keys(changes).length > 0) entries.push({ action: `${named}.changed`, target, detail: changes });
	if (isKept) entries.push({ action: "recording.kept", target: ofRecording });
	if (pinned !== null)
		entries.push({ action: pinned ? "recording.pinned" : "recording.unpinned", target: ofRecording });
	await auditAll(ctx, entries);
}
