"use client";

import { clsx } from "clsx";
import { CircleCheck, CircleOff } from "lucide-react";
import type { ReactNode } from "react";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { Runner } from "#lib/contract/runner.ts";
import { runnersTexts as texts } from "#lib/texts/runners.ts";
import { DisplayPicture } from "./display-picture.tsx";
import { RunnerActionsButton } from "./runner-actions-button.tsx";
import { LastJobs, RunningJobs } from "./runner-jobs.tsx";

/** One runner: how it is, what its displays show, what it records and has recorded. `/runners#runner-7` leads here. */
export function RunnerCard({ runner, meant }: { runner: Runner; meant: boolean }) {
	const online = runner.state === "online";
	return (
		<li
			id={`runner-${runner.id}`}
			aria-labelledby={`runner-${runner.id}-name`}
			aria-current={meant || undefined}
			className={clsx(
				"flex min-w-0 scroll-m-6 flex-col gap-4 self-start rounded-lg border bg-surface p-4",
				meant ? "border-accent ring-1 ring-accent" : "border-line",
			)}
		>
			<Head runner={runner} online={online} />
			<Part title={texts.displays}>
				{runner.displays.length === 0 ? (
					<p className="text-sm text-muted">{texts.noDisplays}</p>
				) : (
					<ul className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(176px,1fr))]">
						{runner.displays.map((display) => (
							<li key={display.id} className="min-w-0">
								<DisplayPicture runnerId={runner.id} displayId={display.id} online={online} />
								<p className="mt-1 flex flex-wrap gap-x-1.5 text-xs tabular-nums">
									<span className="font-mono">{display.id}</span>
									<span className="text-muted">{texts.size(display.width, display.height)}</span>
								</p>
							</li>
						))}
					</ul>
				)}
			</Part>
			<Part title={texts.runningNow}>
				<RunningJobs runner={runner} />
			</Part>
			<Part title={texts.lastJobs}>
				<LastJobs runner={runner} />
			</Part>
		</li>
	);
}

function Head({ runner, online }: { runner: Runner; online: boolean }) {
	const StateIcon = online ? CircleCheck : CircleOff;
	return (
		<div className="flex items-start justify-between gap-3">
			<div className="min-w-0">
				<h2 id={`runner-${runner.id}-name`} className="truncate font-semibold" title={runner.name}>
					{runner.name}
				</h2>
				<p className="mt-0.5 text-xs text-muted tabular-nums">
					<span className="font-mono">#{runner.id}</span> · {texts.version(runner.version)} ·{" "}
					{online ? (
						texts.seenNow
					) : runner.lastSeenAt === null ? (
						texts.neverSeen
					) : (
						<>
							{texts.seen} <TimeAgo at={runner.lastSeenAt} />
						</>
					)}
				</p>
			</div>
			<div className="flex shrink-0 items-center gap-1">
				<span
					className={clsx(
						"inline-flex shrink-0 items-center gap-1.5 rounded-full py-0.5 pe-2.5 ps-1.5 text-xs font-medium",
						online ? "bg-soft-ok text-ok" : "bg-inset text-muted",
					)}
				>
					<StateIcon aria-hidden className="size-4" />
					{online ? texts.online : texts.offline}
				</span>
				<RunnerActionsButton runner={runner} />
			</div>
		</div>
	);
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
	<div>
		<h3 className="mb-1.5 text-xs font-medium text-muted">{title}</h3>
		{children}
	</div>
);
