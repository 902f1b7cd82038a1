import { CircleDot, Scissors } from "lucide-react";
import type { Recording } from "#lib/contract/recording.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

const BADGE = "inline-flex shrink-0 items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium [&>svg]:size-3";

/** What is special about a recording; most have nothing. */
export function RecordingBadges({ recording }: { recording: Recording }) {
	return (
		<>
			{recording.state === "live" ? (
				<span className={`${BADGE} bg-soft-live text-live`}>
					<CircleDot aria-hidden className="motion-pulse" /> Live
				</span>
			) : null}
			{recording.state === "partial" ? (
				<span className={`${BADGE} bg-soft-warn text-warn`} title="The upload was interrupted. What arrived plays.">
					<Scissors aria-hidden /> Partial
				</span>
			) : null}
			<VerdictBadge verdict={recording.verdict} />
		</>
	);
}
