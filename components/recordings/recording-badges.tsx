import type { Recording } from "@tapedeck/contract/recording.ts";
import { CircleDot, Scissors, Upload } from "lucide-react";
import { AgentBadge } from "./agent-badge.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { VerdictBadge } from "./verdict.tsx";

const BADGE = "inline-flex shrink-0 items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium [&>svg]:size-3";

/** The special properties of a recording. Most recordings have none. */
export function RecordingBadges({ recording }: { recording: Recording }) {
	return (
		<>
			<OutcomeBadge outcome={recording.outcome} />
			{recording.state === "live" ? <Growing fromJob={recording.jobId !== null} /> : null}
			{recording.state === "partial" ? (
				<span
					className={`${BADGE} bg-soft-warn text-warn`}
					title="The upload was interrupted. What arrived can be played."
				>
					<Scissors aria-hidden /> Partial
				</span>
			) : null}
			<VerdictBadge verdict={recording.verdict} />
			<AgentBadge labels={recording.labels} />
		</>
	);
}

/** The recording of a job is live; a file that a user uploads is only uploading. */
const Growing = ({ fromJob }: { fromJob: boolean }) =>
	fromJob ? (
		<span className={`${BADGE} bg-soft-live text-live`}>
			<CircleDot aria-hidden className="motion-pulse" /> Live
		</span>
	) : (
		<span className={`${BADGE} bg-accent-soft text-accent`}>
			<Upload aria-hidden /> Uploading
		</span>
	);
