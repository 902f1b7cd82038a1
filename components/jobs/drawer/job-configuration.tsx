"use client";

import type { ReactElement, ReactNode } from "react";
import { CodeBlock, CopyButton } from "#components/ui/copy-button.tsx";
import { curlOfJob, hasGridPassword } from "#lib/client/curl.ts";
import { formatExact, formatSpan, isolated } from "#lib/client/format.ts";
import { useRunnerName } from "#lib/client/runners.ts";
import type { Job } from "#lib/contract/job.ts";
import { STOP_CONDITION_WORDS } from "../job-words.ts";

/** The job's configuration, who created it and when. */
export function JobConfiguration({ job }: { job: Job }) {
	const runnerName = useRunnerName(job.runnerId);
	return (
		<section aria-label="Configuration">
			<h3 className="mb-2 text-sm font-semibold">Configuration</h3>
			<dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[140px_1fr]">
				<Fact name="Runner">{runnerName ?? `Runner ${job.runnerId}`}</Fact>
				<Fact name="Display" mono>
					{job.displayId}
				</Fact>
				<Fact name="Stop condition">{STOP_CONDITION_WORDS[job.stopCondition]}</Fact>
				<ConditionFacts job={job} />
				<Fact name="Created">
					{formatExact(job.createdAt)}
					{job.createdBy ? <span className="text-muted"> {`by ${isolated(job.createdBy.name)}`}</span> : null}
				</Fact>
				{job.startedAt ? <Fact name="Started">{formatExact(job.startedAt)}</Fact> : null}
				{job.stoppedAt ? <Fact name="Stopped">{formatExact(job.stoppedAt)}</Fact> : null}
				{job.endedAt ? <Fact name="Ended">{formatExact(job.endedAt)}</Fact> : null}
				<Fact name="Job ID" mono>
					<span className="inline-flex items-center gap-1">
						{job.id}
						<CopyButton text={String(job.id)} label="Copy the ID" className="-my-1.5" />
					</span>
				</Fact>
			</dl>
			<details className="mt-3 text-sm">
				<summary className="w-fit rounded-sm text-muted hover:text-ink">Repeat with curl</summary>
				<div className="mt-2">
					<CodeBlock text={curlOfJob(location.origin, job)} label="Copy the command" />
					{hasGridPassword(job) ? (
						<p className="mt-1 text-xs text-muted">
							The grid password is not included. Set GRID_PASSWORD in your shell.
						</p>
					) : null}
				</div>
			</details>
		</section>
	);
}

function ConditionFacts({ job }: { job: Job }): ReactElement | null {
	switch (job.stopCondition) {
		case "duration":
			return <Fact name="Duration">{formatSpan(job.stopConditionConfig.durationSeconds)}</Fact>;
		case "interrupt":
			return null;
		case "selenium_idle": {
			const { gridUrl, gridUsername, firstSessionTimeoutSeconds } = job.stopConditionConfig;
			return (
				<>
					<Fact name="Grid URL" mono>
						{gridUrl}
					</Fact>
					{gridUsername === undefined ? null : <Fact name="Grid username">{gridUsername}</Fact>}
					{firstSessionTimeoutSeconds ? (
						<Fact name="Wait for first session">{formatSpan(firstSessionTimeoutSeconds)}</Fact>
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
