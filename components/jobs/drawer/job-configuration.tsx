"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import type { ReactElement, ReactNode } from "react";
import { KEEP_NAMES } from "#components/recordings/keeping-inputs.tsx";
import { OutcomeBadge } from "#components/recordings/outcome-badge.tsx";
import { CodeBlock, CopyButton } from "#components/ui/copy-button.tsx";
import { videoText } from "#components/video/video-text.ts";
import { formatExact, formatSpan, isolated } from "#lib/client/format.ts";
import { useRunnerName } from "#lib/client/runners.ts";
import { curlOfJob, hasGridPassword } from "../curl.ts";
import { STOP_CONDITION_LABELS, TYPE_LABELS } from "../job-labels.ts";

/** The job's configuration, who created it and when. */
export function JobConfiguration({ job }: { job: Job }) {
	const runnerName = useRunnerName(job.runnerId);
	// Until the first frame, what was asked for; then what is used.
	const video = videoText(job.recording?.video ?? job.video);
	return (
		<section aria-label="Configuration">
			<h3 className="mb-2 text-sm font-semibold">Configuration</h3>
			<dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[140px_1fr]">
				{waitsForAny(job) ? (
					<Detail name="Runner">{selectorText(job)}</Detail>
				) : (
					<>
						<Detail name="Runner">{runnerName ?? `Runner ${job.runnerId}`}</Detail>
						{job.displayId === "" ? null : (
							<Detail name="Display" mono>
								{job.displayId}
							</Detail>
						)}
					</>
				)}
				{job.stopCondition === null ? (
					<Detail name="Type">{TYPE_LABELS[job.type]}</Detail>
				) : (
					<Detail name="Stop condition">{STOP_CONDITION_LABELS[job.stopCondition]}</Detail>
				)}
				{job.type !== "file_upload" ? null : (
					<Detail name="File" mono>
						{job.path}
					</Detail>
				)}
				<ConditionDetails job={job} />
				{job.maxDurationSeconds === null ? null : (
					<Detail name="Maximum length">{formatSpan(job.maxDurationSeconds)}</Detail>
				)}
				{job.preSeconds > 0 ? <Detail name="Begins">{formatSpan(job.preSeconds)} before the job</Detail> : null}
				{video === null ? null : <Detail name="Video">{video}</Detail>}
				{job.outcome === null ? null : (
					<Detail name="Outcome">
						<OutcomeBadge outcome={job.outcome} />
					</Detail>
				)}
				{Object.keys(job.labels).length === 0 ? null : (
					<Detail name="Labels" mono>
						{Object.entries(job.labels)
							.map(([key, value]) => `${key}=${value}`)
							.join(", ")}
					</Detail>
				)}
				{job.keep === "always" ? null : <Detail name="Keep video">{KEEP_NAMES[job.keep]}</Detail>}
				<Detail name="Created">
					{formatExact(job.createdAt)}
					{job.createdBy ? <span className="text-muted"> {`by ${isolated(job.createdBy.name)}`}</span> : null}
				</Detail>
				{job.startedAt ? <Detail name="Started">{formatExact(job.startedAt)}</Detail> : null}
				{job.stoppedAt ? <Detail name="Stopped">{formatExact(job.stoppedAt)}</Detail> : null}
				{job.endedAt ? <Detail name="Ended">{formatExact(job.endedAt)}</Detail> : null}
				<Detail name="Job ID" mono>
					<span className="inline-flex items-center gap-1">
						{job.id}
						<CopyButton text={String(job.id)} label="Copy the ID" className="-my-1.5" />
					</span>
				</Detail>
			</dl>
			<details className="mt-3 text-sm">
				<summary className="w-fit rounded-sm py-0.5 text-muted hover:text-ink">Repeat with curl</summary>
				<div className="mt-2">
					<CodeBlock text={curlOfJob(location.origin, job)} label="Copy the command" />
					{hasGridPassword(job) ? (
						<p className="mt-1 text-xs text-muted">
							The grid password isn't included. Set GRID_PASSWORD in your shell.
						</p>
					) : null}
				</div>
			</details>
		</section>
	);
}

/** Whether the first runner that fits takes the job: until then, its runner is only one of them. */
const waitsForAny = (job: Job): boolean => job.status === "queued" && job.selector !== null;

/** The condition that a job without a runner of its own waits for. */
function selectorText({ selector }: Job): string {
	const labels = Object.entries(selector?.labels ?? {}).map(([key, value]) => `${key}=${value}`);
	const display = selector === null || selector.display === "any" ? [] : [`display ${selector.display}`];
	const wanted = [...labels, ...display];
	return wanted.length === 0 ? "Any with a free display" : `Any with ${wanted.join(", ")}`;
}

function ConditionDetails({ job }: { job: Job }): ReactElement | null {
	switch (job.stopCondition) {
		case "duration":
			return <Detail name="Duration">{formatSpan(job.stopConditionConfig.durationSeconds)}</Detail>;
		case "interrupt":
		case null:
			return null;
		case "selenium_idle":
		case "selenium_session": {
			const { gridUrl, gridUsername, gridNode, firstSessionTimeoutSeconds } = job.stopConditionConfig;
			const sessionId = job.stopCondition === "selenium_session" ? job.stopConditionConfig.sessionId : undefined;
			return (
				<>
					<Detail name="Grid URL" mono>
						{gridUrl}
					</Detail>
					{gridUsername === undefined ? null : <Detail name="Grid username">{gridUsername}</Detail>}
					{gridNode === undefined ? null : (
						<Detail name="Grid node" mono>
							{gridNode}
						</Detail>
					)}
					{sessionId === undefined ? null : (
						<Detail name="Session ID" mono>
							{sessionId}
						</Detail>
					)}
					{firstSessionTimeoutSeconds ? (
						<Detail name="Wait for first session">{formatSpan(firstSessionTimeoutSeconds)}</Detail>
					) : null}
				</>
			);
		}
	}
}

const Detail = ({ name, mono, children }: { name: string; mono?: boolean; children: ReactNode }) => (
	<>
		<dt className="text-muted">{name}</dt>
		<dd className={mono ? "min-w-0 font-mono text-xs leading-5 break-words" : "min-w-0 break-words"}>{children}</dd>
	</>
);
