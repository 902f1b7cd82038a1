"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { CircleStop, Trash2 } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useDeleteRecordings } from "#components/recordings/use-delete-recordings.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { SelectionBar } from "#components/ui/selection-bar.tsx";
import { counted } from "#lib/client/format.ts";
import { isCancellable } from "#lib/client/job-filters.ts";
import { useCancelMany } from "../use-cancel-jobs.ts";

interface Props {
	jobs: readonly Job[];
	/** The action is done, and the selection can be cleared. */
	onDone(): void;
}

/** Actions on the selected jobs. Each applies to those of them that it is possible for. */
export function BulkBar({ jobs, onDone }: Props) {
	const cancelMany = useCancelMany();
	const deleteRecordings = useDeleteRecordings();
	const [asked, setAsked] = useState(false);
	const confirmed = useRef(false);
	const cancellable = jobs.filter((job) => isCancellable(job) && job.cancelRequestedAt === null);
	const recorded = jobs.filter(({ recording }) => recording && recording.state !== "live");
	const names = recorded.flatMap(({ recording, name }) => (recording === null ? [] : [{ id: recording.id, name }]));
	return (
		<SelectionBar
			label="Selected jobs"
			count={`${jobs.length} selected`}
			clear="Clear selection"
			clearHint="Clear selection (Esc)"
			onClear={onDone}
		>
			<Action
				of={jobs.length}
				can={cancellable.length}
				some={`${cancellable.length} of the selected jobs can be cancelled`}
				none="No selected job can be cancelled"
				icon={<CircleStop aria-hidden className="size-4" />}
				onPress={() => setAsked(true)}
			>
				Cancel jobs
			</Action>
			<Action
				of={jobs.length}
				can={names.length}
				some={`${counted(names.length, "selected job has", "selected jobs have")} a finished recording`}
				none="No finished recordings selected"
				icon={<Trash2 aria-hidden className="size-4" />}
				onPress={() => deleteRecordings(names, onDone)}
			>
				Delete recordings
			</Action>
			<ConfirmDialog
				open={asked}
				onOpenChange={setAsked}
				title={`Cancel ${counted(cancellable.length, "job", "jobs")}?`}
				action="Cancel jobs"
				dismiss="Keep jobs"
				onConfirm={() => {
					confirmed.current = true;
					void cancelMany(cancellable);
					setAsked(false);
				}}
				onClosed={() => (confirmed.current ? onDone() : undefined)}
			>
				Recording stops now. Anything recorded so far is saved; jobs that haven't started have no video.
			</ConfirmDialog>
		</SelectionBar>
	);
}

interface ActionProps {
	/** Number of selected jobs. */
	of: number;
	/** Number of selected jobs to which the action applies. */
	can: number;
	some: string;
	none: string;
	icon: ReactNode;
	onPress(): void;
	children: ReactNode;
}

/** Not `disabled` while it can do nothing: a button that is would drop the focus. */
const Action = ({ of, can, some, none, icon, onPress, children }: ActionProps) => (
	<Button
		variant="danger"
		className="pointer-coarse:h-11"
		title={can === 0 ? none : can < of ? some : undefined}
		aria-disabled={can === 0}
		onClick={can === 0 ? undefined : onPress}
	>
		{icon}
		{children}
		{can > 0 && can < of ? (
			<span aria-hidden className="rounded-full bg-inset px-1.5 text-xs text-muted tabular-nums">
				{can}
			</span>
		) : null}
	</Button>
);
