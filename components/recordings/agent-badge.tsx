import { AGENT_LABEL } from "@tapedeck/contract/recording-kinds.ts";
import { Bot } from "lucide-react";

/** Marks what an agent has recorded: its results are not counted in statistics of tests. Empty for all else. */
export function AgentBadge({ labels }: { labels: Readonly<Record<string, string>> }) {
	const agent = labels[AGENT_LABEL];
	if (agent === undefined) return null;
	return (
		<span
			title={`Recorded by an agent: ${agent}. Its results are not counted in statistics of tests.`}
			className="inline-flex shrink-0 items-center gap-1 rounded-full bg-inset px-2 py-0.5 text-xs font-medium whitespace-nowrap text-muted"
		>
			<Bot aria-hidden className="size-3" />
			Agent
		</span>
	);
}
