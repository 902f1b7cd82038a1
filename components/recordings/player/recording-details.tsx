"use client";

import type { Recording } from "@tapedeck/contract/recording.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { Link } from "#components/navigation/link.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { useNowAs } from "#components/ui/use-now.ts";
import { formatBytes, formatExact } from "#lib/client/format.ts";
import { DeletionNote } from "../deletion-note.tsx";
import { LabelsEditor } from "../labels-editor.tsx";

/** The recording's size, age, outcome and labels. */
export const RecordingDetails = ({ recording }: { recording: Recording }) => (
	<>
		<ul aria-label="Details" className="flex flex-wrap gap-x-4 text-sm text-muted tabular-nums">
			{recording.kind !== "video" || recording.state === "live" ? null : (
				<li>{formatDuration(recording.durationSeconds)}</li>
			)}
			<li>{formatBytes(recording.bytes)}</li>
			{recording.width !== null && recording.height !== null ? (
				<li>{`${recording.width} × ${recording.height}`}</li>
			) : null}
			{recording.video === null ? null : <li>{`${recording.video.framesPerSecond} fps`}</li>}
			<li>
				<TimeAgo at={recording.createdAt} />
			</li>
			{recording.deleteAt === null ? null : (
				<li>
					<DeletionNote recordingId={recording.id} name={recording.name} at={recording.deleteAt} />
				</li>
			)}
			<SparedUntil at={recording.keptUntil} />
			<li>
				{recording.jobId === null ? (
					"Uploaded"
				) : (
					<Link href={`/jobs/${recording.jobId}`} className="text-accent underline underline-offset-2">
						{`Job ${recording.jobId}`}
					</Link>
				)}
			</li>
		</ul>
		<LabelsEditor recording={recording} />
		<p className="text-xs text-muted pointer-coarse:hidden [@media(hover:none)]:hidden">
			Press ? for keyboard shortcuts.
		</p>
	</>
);

/** After a recording was restored: until when retention spares it. */
function SparedUntil({ at }: { at: string | null }) {
	const text = useNowAs((now) => (at !== null && Date.parse(at) > now ? `Kept until ${formatExact(at)}` : ""));
	return text === "" ? null : <li suppressHydrationWarning>{text}</li>;
}
