"use client";

import { useNowAs } from "#components/ui/use-now.ts";
import { formatSpan } from "#lib/client/format.ts";
import { noteOf, type RunnerFacts } from "#lib/client/job-note.ts";
import type { Job } from "#lib/contract/job.ts";
import { noteTexts } from "#lib/texts/jobs.ts";
import { failureTitle } from "./row-words.ts";

/** What is worth knowing beside the status; nothing of a job that goes the usual way. */
export function JobNoteLine({ job, runner }: { job: Job; runner: RunnerFacts | undefined }) {
	const note = noteOf(job, runner);
	switch (note?.kind) {
		case undefined:
			return null;
		case "offline":
			return note.since === null ? <Line words={noteTexts.neverSeen} /> : <Offline since={note.since} />;
		case "waiting":
			return <Line words={noteTexts.runnerTakesIt} />;
		case "failed":
			return <Line words={failureTitle(job)} />;
		case "stopped-early":
			return <Line words={noteTexts.stoppedEarly} />;
		case "ended":
			return <Line words={noteTexts.ended[note.reason]} />;
	}
}

const Line = ({ words }: { words: string }) => (
	<span className="min-w-0 truncate text-xs leading-3.5 text-muted md:block md:max-w-full md:ps-5.5" title={words}>
		{words}
	</span>
);

function Offline({ since }: { since: string }) {
	// The largest unit says enough here: "3 h" of "3 h 5 min".
	const span = useNowAs((now) =>
		formatSpan((now - Date.parse(since)) / 1000)
			.split(" ", 2)
			.join(" "),
	);
	return <Line words={noteTexts.offlineFor(span)} />;
}
