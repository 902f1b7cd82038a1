"use client";

import type { ReactNode } from "react";
import { CodeBlock, CopyButton } from "#components/ui/copy-button.tsx";
import { curlOf } from "#lib/client/curl.ts";
import { formatExact, formatSpan } from "#lib/client/format.ts";
import { bodyOfJob, hasPassword } from "#lib/client/job-form-values.ts";
import { useRunnerName } from "#lib/client/runners.ts";
import type { Job } from "#lib/contract/job.ts";
import { jobConfigurationTexts as texts } from "#lib/texts/job-drawer.ts";
import { STOP_CONDITION_WORDS } from "#lib/texts/job-words.ts";

/** What was asked for, by whom and when. */
export function JobConfiguration({ job }: { job: Job }) {
	const runnerName = useRunnerName(job.runnerId);
	return (
		<section aria-label={texts.title}>
			<h3 className="mb-2 text-sm font-semibold">{texts.title}</h3>
			<dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[140px_1fr]">
				<Fact name={texts.runner}>{runnerName ?? texts.unknownRunner(job.runnerId)}</Fact>
				<Fact name={texts.display} mono>
					{job.displayId}
				</Fact>
				<Fact name={texts.stopCondition}>{STOP_CONDITION_WORDS[job.stopCondition]}</Fact>
				<ConditionFacts job={job} />
				<Fact name={texts.created}>
					{formatExact(job.createdAt)}
					{job.createdBy ? <span className="text-muted"> {texts.createdBy(job.createdBy.name)}</span> : null}
				</Fact>
				{job.startedAt ? <Fact name={texts.started}>{formatExact(job.startedAt)}</Fact> : null}
				{job.stoppedAt ? <Fact name={texts.stopped}>{formatExact(job.stoppedAt)}</Fact> : null}
				{job.endedAt ? <Fact name={texts.ended}>{formatExact(job.endedAt)}</Fact> : null}
				<Fact name={texts.jobId} mono>
					<span className="inline-flex items-center gap-1">
						{job.id}
						<CopyButton text={String(job.id)} label={texts.copyId} className="-my-1.5" />
					</span>
				</Fact>
			</dl>
			<details className="mt-3 text-sm">
				<summary className="w-fit rounded-sm text-muted hover:text-ink">{texts.repeatWithCurl}</summary>
				<div className="mt-2">
					<CodeBlock text={curlOf(location.origin, bodyOfJob(job))} label={texts.copyCommand} />
					{hasPassword(job) ? <p className="mt-1 text-xs text-muted">{texts.passwordNeeded}</p> : null}
				</div>
			</details>
		</section>
	);
}

function ConditionFacts({ job }: { job: Job }) {
	switch (job.stopCondition) {
		case "duration":
			return <Fact name={texts.duration}>{formatSpan(job.stopConditionConfig.durationSeconds)}</Fact>;
		case "interrupt":
			return null;
		case "selenium_idle": {
			const { gridUrl, gridUsername, firstSessionTimeoutSeconds } = job.stopConditionConfig;
			return (
				<>
					<Fact name={texts.gridUrl} mono>
						{gridUrl}
					</Fact>
					{gridUsername === undefined ? null : <Fact name={texts.gridUsername}>{gridUsername}</Fact>}
					{firstSessionTimeoutSeconds ? (
						<Fact name={texts.waitsForSession}>{formatSpan(firstSessionTimeoutSeconds)}</Fact>
					) : null}
				</>
			);
		}
	}
}

const Fact = ({ name, mono, children }: { name: string; mono?: boolean; children: ReactNode }) => (
	<>
		<dt className="text-muted">{name}</dt>
		<dd className={mono ? "min-w-0 font-mono text-xs leading-5 break-words" : "min-w-0 break-words"}>{children}</dd>
	</>
);
