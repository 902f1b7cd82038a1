"use client";

import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleCheck, CircleOff, Monitor } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { jobQuery } from "#lib/client/jobs.ts";
import type { Runner } from "#lib/contract/runner.ts";

/** So many of the running jobs are told by name. */
const SHOWN = 5;

/** One runner: how it is, what it can record, what it records. */
export function RunnerCard({ runner }: { runner: Runner }) {
	const online = runner.state === "online";
	const StateIcon = online ? CircleCheck : CircleOff;
	return (
		<li className="flex min-w-0 flex-col gap-4 self-start rounded-lg border border-line bg-surface p-4">
			<div className="flex items-start justify-between gap-3">
				<div className="min-w-0">
					<h2 className="truncate font-semibold" title={runner.name}>
						{runner.name}
					</h2>
					<p className="mt-0.5 text-xs text-muted tabular-nums">
						<span className="font-mono">#{runner.id}</span> · version {runner.version} ·{" "}
						{runner.lastSeenAt === null ? (
							"never seen"
						) : (
							<>
								seen <TimeAgo at={runner.lastSeenAt} />
							</>
						)}
					</p>
				</div>
				<span
					className={clsx(
						"inline-flex shrink-0 items-center gap-1.5 rounded-full py-0.5 pe-2.5 ps-1.5 text-xs font-medium",
						online ? "bg-soft-ok text-ok" : "bg-inset text-muted",
					)}
				>
					<StateIcon aria-hidden className="size-4" />
					{online ? "Online" : "Offline"}
				</span>
			</div>
			<Part title="Displays">
				{runner.displays.length === 0 ? (
					<p className="text-sm text-muted">None found. Start an X server there, or set DISPLAY for the runner.</p>
				) : (
					<ul className="flex flex-wrap gap-2">
						{runner.displays.map((display) => (
							<li
								key={display.id}
								className="flex items-center gap-2 rounded-md border border-line bg-inset px-2 py-1 text-xs tabular-nums"
							>
								<Monitor aria-hidden className="size-3.5 text-muted" />
								<span className="font-mono">{display.id}</span>
								<span className="text-muted">
									{display.width} × {display.height}
								</span>
							</li>
						))}
					</ul>
				)}
			</Part>
			<Part title="Running now">
				{runner.runningJobIds.length === 0 ? (
					<p className="text-sm text-muted">{online ? "Nothing. It is free." : "Nothing."}</p>
				) : (
					<ul className="flex flex-col gap-1">
						{runner.runningJobIds.slice(0, SHOWN).map((id) => (
							<li key={id} className="min-w-0">
								<RunningJob id={id} />
							</li>
						))}
						{runner.runningJobIds.length > SHOWN ? (
							<li>
								<Link
									href={`/jobs?status=starting&status=recording&status=uploading&runnerId=${runner.id}`}
									className="text-sm text-muted underline-offset-2 hover:underline"
								>
									and {runner.runningJobIds.length - SHOWN} more
								</Link>
							</li>
						) : null}
					</ul>
				)}
			</Part>
		</li>
	);
}

function RunningJob({ id }: { id: number }) {
	const job = useQuery(jobQuery(id)).data;
	return (
		<Link href={`/jobs/${id}`} className="block truncate text-sm text-accent underline-offset-2 hover:underline">
			{job?.name ?? `Job ${id}`}
			{job ? <span className="text-muted"> on {job.displayId}</span> : null}
		</Link>
	);
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
	<div>
		<h3 className="mb-1.5 text-xs font-medium text-muted">{title}</h3>
		{children}
	</div>
);
