"use client";

import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { newcomerWay } from "#lib/client/newcomer.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import type { Job } from "#lib/contract/job.ts";
import { newcomersTexts as texts } from "#lib/texts/newcomers.ts";
import { ConnectStep, RecordStep, WatchStep } from "./newcomer-steps.tsx";

interface Props {
	jobs: readonly Job[];
	onOpen(id: number, from: HTMLElement | null): void;
	/** The first video was watched, or the steps are not wanted. */
	onDone(): void;
}

/** The way from no runner to the first video; every step ticks itself off. */
export function Newcomers({ jobs, onOpen, onDone }: Props) {
	const runners = useQuery(runnersQuery()).data;
	if (runners === undefined) return null;
	const way = newcomerWay(runners, jobs);
	const connected = way.runner?.state === "online" || way.recorded;
	const open = (from: HTMLElement) => {
		if (way.job === null) return;
		onOpen(way.job.id, from);
		if (way.hasVideo) onDone();
	};
	return (
		<section aria-label={texts.title} className="mx-auto w-full max-w-2xl px-4 py-6 md:px-6 md:py-10">
			<div className="flex items-start justify-between gap-4">
				<div>
					<h2 className="text-lg font-semibold">{texts.title}</h2>
					<p className="text-sm text-muted">{texts.lead}</p>
				</div>
				<Button look="quiet" size="icon" aria-label={texts.dismiss} title={texts.dismiss} onClick={onDone}>
					<X aria-hidden className="size-4" />
				</Button>
			</div>
			<ol className="mt-5 flex flex-col">
				<Step number={1} title={texts.connect} done={connected} current={!connected}>
					<ConnectStep runner={way.runner} connected={connected} />
				</Step>
				<Step number={2} title={texts.record} done={way.recorded} current={connected && !way.recorded}>
					<RecordStep way={way} ready={connected} onOpen={open} />
				</Step>
				<Step number={3} title={texts.watch} done={false} current={way.recorded} last>
					<WatchStep way={way} onOpen={open} />
				</Step>
			</ol>
		</section>
	);
}

interface StepProps {
	number: number;
	title: string;
	done: boolean;
	/** It is its turn. */
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
				{done ? <span className="sr-only">{texts.done} </span> : null}
				{title}
			</h3>
			<div className="mt-1 flex flex-col items-start gap-3 text-sm text-muted">{children}</div>
		</div>
	</li>
);
