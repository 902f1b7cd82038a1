"use client";

import { useQuery } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { clsx } from "clsx";
import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { installCommand } from "#components/runners/install-command.ts";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { useCreateRunnerToken } from "#lib/client/credentials.ts";
import { quoted } from "#lib/client/format.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { openCreateForm } from "../create/create-form-url.ts";
import { curlOf } from "../curl.ts";
import { type OnboardingProgress, onboardingProgress } from "./onboarding-progress.ts";

interface Props {
	jobs: readonly Job[];
	onOpen(id: number, from: HTMLElement | null): void;
	/** The first video was played, or the steps were dismissed. */
	onDone(): void;
}

/** Three steps from no runner to the first video, checked off as they are completed. */
export function Onboarding({ jobs, onOpen, onDone }: Props) {
	const runners = useQuery(runnersQuery()).data;
	if (runners === undefined) return null;
	const progress = onboardingProgress(runners, jobs);
	const { runner, job, recorded, hasVideo } = progress;
	const connected = runner?.state === "online" || recorded;
	const open = (from: HTMLElement) => {
		if (job === null) return;
		onOpen(job.id, from);
		if (hasVideo) onDone();
	};
	return (
		<section
			aria-label="Your first video in three steps"
			className="mx-auto w-full max-w-2xl px-4 py-6 md:px-6 md:py-10"
		>
			<div className="flex items-start justify-between gap-4">
				<div>
					<h2 className="text-lg font-semibold">Your first video in three steps</h2>
					<p className="text-sm text-muted">Steps are checked off as you complete them.</p>
				</div>
				<Button variant="ghost" size="icon" aria-label="Hide these steps" title="Hide these steps" onClick={onDone}>
					<X aria-hidden className="size-4" />
				</Button>
			</div>
			<ol className="mt-5 flex flex-col">
				<Step number={1} title="Connect a runner" done={connected} current={!connected}>
					<ConnectStep runner={runner} connected={connected} />
				</Step>
				<Step number={2} title="Make a recording" done={recorded} current={connected && !recorded}>
					<RecordStep progress={progress} ready={connected} onOpen={open} />
				</Step>
				<Step number={3} title="Watch it" done={false} current={recorded} last>
					<WatchStep progress={progress} onOpen={open} />
				</Step>
			</ol>
		</section>
	);
}

interface StepProps {
	number: number;
	title: string;
	done: boolean;
	/** It is the next one to do. */
	current: boolean;
	last?: boolean;
	children: ReactNode;
}

const Step = ({ number, title, done, current, last, children }: StepProps) => (
	<li aria-current={current ? "step" : undefined} className="relative flex gap-4 pb-6">
		{last ? null : <span aria-hidden className="absolute top-8 bottom-1 start-[13.5px] w-px bg-line" />}
		<span
			aria-hidden
			className={clsx(
				"grid size-7 shrink-0 place-items-center rounded-full border text-xs font-semibold tabular-nums",
				done && "border-transparent bg-soft-ok text-ok",
				!done && current && "border-accent bg-accent-soft text-accent",
				!done && !current && "border-line text-muted",
			)}
		>
			{done ? <Check className="size-4" /> : number}
		</span>
		<div className="min-w-0 flex-1 pt-0.5">
			<h3 className={clsx("text-base font-semibold", !done && !current && "text-muted")}>
				{done ? <span className="sr-only">Done: </span> : null}
				{title}
			</h3>
			<div className="mt-1 flex flex-col items-start gap-3 text-sm text-muted">{children}</div>
		</div>
	</li>
);

/** Step 1: a runner, with the command that installs it. */
function ConnectStep({ runner, connected }: { runner: Runner | null; connected: boolean }) {
	const mayCreateToken = useCan("runners:manage");
	const token = useCreateRunnerToken();
	if (runner !== null) {
		return (
			<p role="status">
				{connected ? `${runner.name} is connected.` : `${runner.name} is offline. Start it again on its machine.`}
			</p>
		);
	}
	const { data } = token;
	return (
		<>
			<p>A runner is a small program on a Linux machine with X displays. It records what they show.</p>
			{mayCreateToken ? null : <p>Ask an owner or admin of this organization to add one.</p>}
			{token.error ? (
				<Notice tone="danger" alert>
					{errorMessage(token.error)}
				</Notice>
			) : null}
			{data ? (
				<div className="w-full">
					<p className="mb-1">
						Run this on that machine. It installs the runner and shows how to start it. The token in it is shown only
						once.
					</p>
					<CodeBlock
						text={installCommand({ url: location.origin, token: data.secret, name: data.name })}
						label="Copy the command"
					/>
				</div>
			) : null}
			{mayCreateToken && !data ? (
				<Button
					variant="primary"
					aria-disabled={token.isPending}
					onClick={() => (token.isPending ? undefined : token.mutate({ name: "my-first-runner" }))}
				>
					Generate install command
				</Button>
			) : null}
			{data ? (
				<p role="status" className="flex items-center gap-2">
					<span aria-hidden className="motion-pulse size-2 rounded-full bg-accent" />
					Waiting for it to connect…
				</p>
			) : null}
		</>
	);
}

interface RecordStepProps {
	progress: OnboardingProgress;
	ready: boolean;
	onOpen(from: HTMLElement): void;
}

/** Step 2: a recording, by form or by curl. */
function RecordStep({ progress: { job, runner, recorded }, ready, onOpen }: RecordStepProps) {
	if (recorded && job !== null) {
		const isRecording = job.status === "recording";
		return <p role="status">{`${quoted(job.name)} ${isRecording ? "is recording." : "was recorded."}`}</p>;
	}
	if (!ready || runner === null) return null;
	const body = {
		runnerId: runner.id,
		displayId: runner.displays[0]?.id ?? ":99",
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 10 },
	};
	return (
		<>
			{job === null ? null : (
				<p role="status" className="flex flex-wrap items-center gap-x-2">
					{`${quoted(job.name)} ${stateBeforeFirstFrame(job)}`}
					{job.endedAt === null ? null : (
						<Button size="small" onClick={(event) => onOpen(event.currentTarget)}>
							See why
						</Button>
					)}
				</p>
			)}
			<Button variant="primary" onClick={(event) => openCreateForm({ from: event.currentTarget })}>
				Create a job
			</Button>
			<div className="w-full">
				<p className="mb-1">
					Or from a script, with an API key:{" "}
					<Link href="/settings" className="text-accent underline underline-offset-2">
						Create an API key
					</Link>
				</p>
				<CodeBlock text={curlOf(location.origin, body)} label="Copy the command" />
			</div>
		</>
	);
}

function stateBeforeFirstFrame(job: Job): string {
	if (job.endedAt !== null) return "ended without a video.";
	return job.status === "queued" ? "is waiting for its runner." : "is starting.";
}

/** Step 3: the video, live while it records and for good afterwards. */
function WatchStep({ progress, onOpen }: { progress: OnboardingProgress; onOpen(from: HTMLElement): void }) {
	const { job, recorded, hasVideo } = progress;
	const meaning = "Watch it live while it records, and play it here afterwards.";
	if (!recorded || job === null) return <p>{meaning}</p>;
	const isRecording = job.status === "recording";
	return (
		<>
			<p role="status">{hasVideo ? "Your first video is ready." : isRecording ? meaning : "Still uploading."}</p>
			{hasVideo || isRecording ? (
				<Button variant="primary" onClick={(event) => onOpen(event.currentTarget)}>
					{hasVideo ? "Play video" : "Watch live"}
				</Button>
			) : null}
			{isRecording && job.stopCondition === "interrupt" ? <p>It records until you cancel it there.</p> : null}
		</>
	);
}
