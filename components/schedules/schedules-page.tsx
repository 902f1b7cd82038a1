"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Schedule } from "@tapedeck/contract/schedule.ts";
import { useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { Rows, Section } from "#components/settings/section.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { call } from "#lib/client/api.ts";
import { counted, formatExact } from "#lib/client/format.ts";
import { useChange } from "#lib/client/use-change.ts";

const LINK = "text-accent underline underline-offset-2";

/** The jobs that are created again and again: their next start, the last job and what was skipped. */
export function SchedulesPage() {
	const list = useQuery(schedulesQuery());
	const mayChange = useCan("jobs:write");
	const [deleting, setDeleting] = useState<Schedule | null>(null);
	const intro = (
		<>
			Jobs that start again and again. Create one with <strong>Repeat every … seconds</strong> in{" "}
			<Link href="/jobs?new=1" className={LINK}>
				New job
			</Link>
			.
		</>
	);
	return (
		<Section title="Schedules" intro={intro}>
			<Rows label="Schedules" list={list} none="None yet." keyOf={({ id }) => id}>
				{(schedule) => (
					<>
						<ScheduleText schedule={schedule} />
						{mayChange ? <ScheduleButtons schedule={schedule} onDelete={() => setDeleting(schedule)} /> : null}
					</>
				)}
			</Rows>
			<DeleteDialog schedule={deleting} onClose={() => setDeleting(null)} />
		</Section>
	);
}

function placeOf(job: Schedule["job"]): string {
	if (job.type === "file_upload") return `of ${job.path}`;
	const { type, displayId = "any display" } = job;
	return `${type === "screenshot" ? "a screenshot " : ""}on ${displayId === "new" ? "a new display" : displayId}`;
}

const nameOf = ({ id, job }: Schedule): string => job.name ?? `Schedule ${id}`;

function ScheduleText({ schedule }: { schedule: Schedule }) {
	const { everySeconds, endsAt, job, paused, pausedBecause, nextStartAt, lastJob } = schedule;
	const { startedJobs, skippedStarts, lastSkip } = schedule;
	return (
		<div className="min-w-0 flex-1">
			<p className="text-sm font-medium wrap-anywhere">{nameOf(schedule)}</p>
			<p className="text-xs text-muted tabular-nums">
				every {everySeconds} s {placeOf(job)}
				{endsAt === null ? null : ` until ${formatExact(endsAt)}`}
				{nextStartAt === null ? null : ` · next start ${formatExact(nextStartAt)}`}
			</p>
			<p className="text-xs text-muted tabular-nums">
				{counted(startedJobs, "job", "jobs")}
				{lastJob === null ? null : (
					<>
						, the last one{" "}
						<Link href={`/jobs/${lastJob.id}`} className={LINK}>
							{lastJob.status}
						</Link>
					</>
				)}
				{skippedStarts === 0 ? null : ` · ${counted(skippedStarts, "start", "starts")} skipped`}
			</p>
			{lastSkip === null ? null : (
				<p className="text-xs text-muted wrap-anywhere">
					Last skipped <TimeAgo at={lastSkip.at} />: {lastSkip.reason}
				</p>
			)}
			{paused ? <p className="text-xs text-warn">Paused. {pausedBecause}</p> : null}
			{!paused && nextStartAt === null ? <p className="text-xs text-muted">Ended.</p> : null}
		</div>
	);
}

function ScheduleButtons({ schedule, onDelete }: { schedule: Schedule; onDelete(): void }) {
	const pause = usePauseSchedule();
	const { id, paused } = schedule;
	const label = paused ? "Resume" : "Pause";
	const change = () =>
		void toastOutcome(pause.mutateAsync({ id, paused: !paused }), {
			done: paused ? "Resumed with the next regular start." : "Paused.",
			failed: paused ? "Couldn't resume it." : "Couldn't pause it.",
		});
	return (
		<div className="flex flex-wrap gap-2">
			<Button size="small" aria-label={`${label} ${nameOf(schedule)}`} aria-disabled={pause.isPending} onClick={change}>
				{label}
			</Button>
			<Button size="small" variant="danger" aria-label={`Delete ${nameOf(schedule)}`} onClick={onDelete}>
				Delete
			</Button>
		</div>
	);
}

function DeleteDialog({ schedule, onClose }: { schedule: Schedule | null; onClose(): void }) {
	const remove = useDeleteSchedule();
	const confirm = () => {
		if (schedule === null) return;
		void toastOutcome(remove.mutateAsync(schedule.id), {
			done: "Schedule deleted.",
			failed: "Couldn't delete it.",
		}).then(onClose);
	};
	return (
		<ConfirmDialog
			open={schedule !== null}
			onOpenChange={(open) => open || onClose()}
			title="Delete this schedule?"
			action="Delete"
			busy={remove.isPending}
			onConfirm={confirm}
		>
			No more jobs start. The jobs that it started stay.
		</ConfirmDialog>
	);
}

const KEY = ["schedules"] as const;
/** Starts come without an event of their own. */
const REFRESH_MS = 3_000;

const schedulesQuery = () =>
	queryOptions({
		queryKey: KEY,
		queryFn: async ({ signal }) => (await call<Page<Schedule>>("GET", "/v1/schedules", { signal })).data,
		refetchInterval: REFRESH_MS,
	});

const usePauseSchedule = () =>
	useChange(KEY, ({ id, paused }: Pick<Schedule, "id" | "paused">) =>
		call<Schedule>("PATCH", `/v1/schedules/${id}`, { body: { paused } }),
	);
const useDeleteSchedule = () => useChange(KEY, (id: number) => call<void>("DELETE", `/v1/schedules/${id}`));
