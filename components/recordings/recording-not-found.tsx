"use client";

import { useQuery } from "@tanstack/react-query";
import type { DeletedRecording } from "@tapedeck/contract/deleted-recording.ts";
import { Trash2, VideoOff } from "lucide-react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { ResultsOfDeleted } from "#components/tests/results-of-deleted.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { formatExact } from "#lib/client/format.ts";
import { deletedRecordingQuery } from "./deleted-recordings.ts";
import { deletedByText } from "./trash/deletion-text.ts";
import { RestoreButton } from "./trash/restore-button.tsx";

interface Props {
	/** The reason as a sentence, if the link itself is known to be valid. */
	why?: string;
	/** The requested recording: if it was deleted, the page shows details of its deletion. */
	recordingId?: number;
}

/** Shown instead of a recording that does not exist. */
export function RecordingNotFound({ why, recordingId }: Props) {
	const deleted = useQuery({ ...deletedRecordingQuery(recordingId ?? 0), enabled: recordingId !== undefined });
	if (recordingId !== undefined && deleted.isPending) return <Skeleton className="h-48 w-full rounded-lg" />;
	if (deleted.data) return <Deleted recording={deleted.data} />;
	return (
		<EmptyState
			icon={VideoOff}
			title="Recording not found"
			level="h1"
			actions={
				<Link href="/recordings" className={buttonClass("primary")}>
					All recordings
				</Link>
			}
		>
			{why ?? "It was deleted or expired, or the link is incomplete."}
		</EmptyState>
	);
}

function Deleted({ recording }: { recording: DeletedRecording }) {
	const mayWrite = useCan("recordings:write");
	const { id, name, jobId, deletedAt, restorableUntil } = recording;
	return (
		<>
			<EmptyState
				icon={Trash2}
				title={name}
				level="h1"
				actions={
					<>
						{jobId === null ? null : (
							<Link href={`/jobs/${jobId}`} className={buttonClass("primary")}>
								View job
							</Link>
						)}
						{restorableUntil !== null && mayWrite ? <RestoreButton id={id} name={name} /> : null}
						<Link href="/recordings" className={buttonClass()}>
							All recordings
						</Link>
					</>
				}
			>
				This recording was {deletedByText(recording)} on {formatExact(deletedAt)}.{" "}
				{restorableUntil === null ? "Its video is gone." : `It can be restored until ${formatExact(restorableUntil)}.`}
			</EmptyState>
			{jobId === null ? null : <ResultsOfDeleted jobId={jobId} />}
		</>
	);
}
