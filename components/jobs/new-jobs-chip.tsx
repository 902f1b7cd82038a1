import { ArrowUp } from "lucide-react";
import { jobsTexts } from "#lib/texts/jobs.ts";

/** Tells of jobs that came in above what is in sight, and leads to them. */
export const NewJobsChip = ({ count, onPress }: { count: number; onPress(): void }) => (
	<div className="pointer-events-none sticky top-2 z-20 flex h-0 justify-center md:top-10">
		<span role="status" className="sr-only">
			{count > 0 ? jobsTexts.newJobsAbove : ""}
		</span>
		{count > 0 ? (
			<button
				type="button"
				onClick={onPress}
				className="motion-fade pointer-events-auto flex h-8 items-center gap-1.5 rounded-full bg-accent px-3 text-xs font-medium whitespace-nowrap text-on-accent tabular-nums shadow-float hover:bg-accent-hover pointer-coarse:h-11 pointer-coarse:px-4"
			>
				<ArrowUp aria-hidden className="size-3.5" />
				{jobsTexts.newJobs(count)}
			</button>
		) : null}
	</div>
);
