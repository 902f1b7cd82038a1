import { OutcomeBadge } from "#components/recordings/outcome-badge.tsx";
import { VerdictBadge } from "#components/recordings/verdict.tsx";
import type { Outcome, Verdict } from "#lib/contract/recording-kinds.ts";

/** How a job's test ended, and what is odd about its video. */
export const JobBadges = ({ outcome, verdict }: { outcome: Outcome | null; verdict: Verdict | null }) => (
	<>
		<OutcomeBadge narrow outcome={outcome} />
		<VerdictBadge narrow verdict={verdict} />
	</>
);
