"use client";

import { useQuery } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Runner, VersionStatus } from "@tapedeck/contract/runner.ts";
import { clsx } from "clsx";
import { CircleCheck, CircleOff, Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { JobDuration } from "#components/jobs/job-duration.tsx";
import { STATUS_LABELS } from "#components/jobs/job-labels.ts";
import { JobMark, StatusIcon } from "#components/jobs/job-status.tsx";
import { Link } from "#components/navigation/link.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { counted, formatSpan } from "#lib/client/format.ts";
import { jobQuery } from "#lib/client/jobs.ts";
import { lastJobsQuery } from "#lib/client/runners.ts";
import { DisplayPicture } from "./display-picture.tsx";

const loadMenu = () => import("./runner-actions-menu.tsx").then((module) => module.RunnerActionsMenu);

/** One runner: its state, its displays, what it records now and what it recorded last. */
export function RunnerCard({ runner, highlighted }: { runner: Runner; highlighted: boolean }) {
	const online = runner.state === "online";
	return (
		<li
			id={`runner-${runner.id}`}
			aria-labelledby={`runner-${runner.id}-name`}
			aria-current={highlighted || undefined}
			className={clsx(
				"flex min-w-0 scroll-m-6 flex-col gap-4 self-start rounded-lg border bg-surface p-4",
				highlighted ? "border-accent ring-1 ring-accent" : "border-line",
			)}
		>
			<Head runner={runner} online={online} />
			<Part title="Displays">
				{runner.displays.length === 0 ? (
					<p className="text-sm text-muted">None found. Start an X server there, or set DISPLAY for the runner.</p>
				) : (
					<ul className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(176px,1fr))]">
						{runner.displays.map((display) => (
							<li key={display.id} className="min-w-0">
								<DisplayPicture runnerId={runner.id} displayId={display.id} online={online} />
								<p className="mt-1 flex flex-wrap gap-x-1.5 text-xs tabular-nums">
									<span className="font-mono">{display.id}</span>
									<span className="text-muted">{`${display.width} × ${display.height}`}</span>
								</p>
							</li>
						))}
					</ul>
				)}
			</Part>
			<Part title="Running now">
				<RunningJobs runner={runner} />
			</Part>
			<Part title="Last jobs">
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
					<span className="font-mono">#{runner.id}</span> ·{" "}
					{runner.versionStatus === "current" ? `version ${runner.version} · ` : null}
					<LastSeen runner={runner} online={online} />
					{runner.bufferSeconds === null ? null : (
						<span title="The recording of a job can begin so much earlier">
							{` · Buffer ${formatSpan(runner.bufferSeconds)}`}
						</span>
					)}
					{runner.virtualDisplays === null ? null : (
						<span title={'Jobs whose display is "new" get one of their own'}>
							{` · ${counted(runner.virtualDisplays, "virtual display", "virtual displays")}`}
						</span>
					)}
				</p>
				{runner.versionStatus === "current" ? null : <OtherVersion {...runner} versionStatus={runner.versionStatus} />}
			</div>
			<div className="flex shrink-0 items-center gap-1">
				<span
					className={clsx(
						"inline-flex shrink-0 items-center gap-1.5 rounded-full py-0.5 pe-2.5 ps-1.5 text-xs font-medium",
						online ? "bg-soft-ok text-ok" : "bg-inset text-muted",
					)}
				>
					<StateIcon aria-hidden className="size-4" />
					{online ? "Online" : "Offline"}
				</span>
				<MenuButton
					load={loadMenu}
					menu={(Menu, control) => <Menu runner={runner} {...control} />}
					aria-label={`Actions for ${runner.name}`}
					className={buttonClass("ghost", "icon")}
				>
					<Ellipsis aria-hidden className="size-4" />
				</MenuButton>
			</div>
		</div>
	);
}

const OTHER_VERSIONS: Record<Exclude<VersionStatus, "current">, string> = {
	older: "Older than the dashboard",
	newer: "Newer than the dashboard",
	different: "Differs from the dashboard",
};

/** The version of a runner that has not the dashboard's, and what to do about it. The runner works all the same. */
const OtherVersion = ({
	version,
	versionStatus,
}: Pick<Runner, "version"> & { versionStatus: keyof typeof OTHER_VERSIONS }) => (
	<p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
		<span className="min-w-0 rounded-full bg-inset px-2 py-0.5 wrap-anywhere tabular-nums">
			{OTHER_VERSIONS[versionStatus]}: {version}
		</span>
		<span>
			{versionStatus === "newer" ? (
				"Update the dashboard."
			) : (
				<>
					Run <code>tapedeck upgrade</code> on its machine.
				</>
			)}
		</span>
	</p>
);

function LastSeen({ runner: { lastSeenAt }, online }: { runner: Runner; online: boolean }) {
	// An online runner is heard from every few seconds.
	if (online) return "seen just now";
	if (lastSeenAt === null) return "never seen";
	return (
		<>
			seen <TimeAgo at={lastSeenAt} />
		</>
	);
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
	<div>
		<h3 className="mb-1.5 text-xs font-medium text-muted">{title}</h3>
		{children}
	</div>
);

/** Maximum number of running jobs that are listed by name. */
const MAX_LISTED = 5;
const linkClass = "min-w-0 truncate leading-6 text-accent underline-offset-2 hover:underline";

function RunningJobs({ runner: { id: runnerId, state, runningJobIds: ids } }: { runner: Runner }) {
	if (ids.length === 0) return <p className="text-sm text-muted">{state === "online" ? "Idle" : "Nothing"}</p>;
	return (
		<ul className="flex flex-col">
			{ids.slice(0, MAX_LISTED).map((id) => (
				<li key={id} className="flex h-6 min-w-0 items-center gap-2 text-sm">
					<RunningJob id={id} />
				</li>
			))}
			{ids.length > MAX_LISTED ? (
				<li>
					<Link
						href={`/jobs?status=starting&status=recording&status=uploading&runnerId=${runnerId}`}
						className="inline-block text-sm leading-6 text-muted underline-offset-2 hover:underline"
					>
						and {counted(ids.length - MAX_LISTED, "more", "more")}
					</Link>
				</li>
			) : null}
		</ul>
	);
}

function RunningJob({ id }: { id: number }) {
	const job = useQuery(jobQuery(id)).data;
	return (
		<>
			{job ? <StatusIcon status={job.status} /> : null}
			<Link href={`/jobs/${id}`} className={linkClass}>
				{job?.name ?? `Job ${id}`}
			</Link>
			{job ? (
				<>
					<span className="shrink-0 text-muted">on {job.displayId}</span>
					<span className="ms-auto shrink-0 tabular-nums">
						<JobDuration job={job} />
					</span>
				</>
			) : null}
		</>
	);
}

function LastJobs({ runner }: { runner: Runner }) {
	const jobs = useQuery(lastJobsQuery(runner.id)).data;
	if (jobs === undefined) return <Skeleton className="h-5 w-2/3" />;
	if (jobs.length === 0) return <p className="text-sm text-muted">None yet.</p>;
	return (
		<>
			<ul className="flex flex-col">
				{jobs.map((job) => (
					<li key={job.id} className="flex h-6 min-w-0 items-center gap-2 text-sm">
						<LastJob job={job} />
					</li>
				))}
			</ul>
			<Link
				href={`/jobs?runnerId=${runner.id}`}
				aria-label={`All jobs of ${runner.name}`}
				className="mt-1 inline-block text-sm leading-6 text-muted underline-offset-2 hover:underline"
			>
				All jobs
			</Link>
		</>
	);
}

const LastJob = ({ job }: { job: Job }) => (
	<>
		<span className="w-34 shrink-0">
			<JobMark job={job} />
		</span>
		<Link href={`/jobs/${job.id}`} className={linkClass}>
			{job.name}
		</Link>
		<span className="ms-auto shrink-0 text-xs text-muted tabular-nums">
			{job.outcome === null ? null : `${STATUS_LABELS[job.status]} · `}
			<TimeAgo at={job.endedAt ?? job.createdAt} />
		</span>
	</>
);
