"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { CircleStop, Copy, PanelRight, Play, RotateCw } from "lucide-react";
import { useRef } from "react";
import { useCan } from "#components/account/use-session.ts";
import { useNavigate } from "#components/navigation/use-navigate.ts";
import { requestPlay } from "#components/recordings/player/player-link.ts";
import { copyText } from "#components/ui/copy-button.tsx";
import { MenuItem, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuControl } from "#components/ui/menu-button.tsx";
import { toast } from "#components/ui/toast.ts";
import { isCancellable } from "#lib/client/job-filters.ts";
import { openCreateForm } from "../create/create-form-url.ts";
import { useCancelWithToast } from "../use-cancel-jobs.ts";

async function copyId({ id }: Job): Promise<void> {
	if (await copyText(String(id))) toast.success(`Copied job ID ${id}.`);
	else toast.error(`Your browser blocked copying. The job ID is ${id}.`);
}

/** Actions for a job of the list. */
export function JobActionsMenu({ job, onOpen, ...control }: MenuControl & { job: Job; onOpen(): void }) {
	const goTo = useNavigate();
	const opensDrawer = useRef(false);
	const cancel = useCancelWithToast();
	const mayWrite = useCan("jobs:write");
	const { recording } = job;

	const runAgain = () => {
		opensDrawer.current = true;
		openCreateForm({ like: job.id, from: control.trigger.current });
	};

	return (
		<MenuPanel
			{...control}
			onCloseAutoFocus={(event) => {
				// The drawer takes the focus, and gives it back to the button later.
				if (opensDrawer.current) event.preventDefault();
				opensDrawer.current = false;
			}}
		>
			<MenuItem
				onSelect={() => {
					opensDrawer.current = true;
					onOpen();
				}}
			>
				<PanelRight aria-hidden />
				View details
			</MenuItem>
			{recording !== null ? (
				<MenuItem
					onSelect={() => {
						requestPlay(recording.id);
						void goTo(`/recordings/${recording.id}`);
					}}
				>
					<Play aria-hidden />
					{recording.kind === "video" ? "Play video" : "Open picture"}
				</MenuItem>
			) : null}
			<MenuItem onSelect={() => void copyId(job)}>
				<Copy aria-hidden />
				Copy job ID
			</MenuItem>
			{mayWrite && job.type === "recording" ? <RunAgain onSelect={runAgain} /> : null}
			{mayWrite && isCancellable(job) && job.cancelRequestedAt === null ? (
				<>
					<MenuSeparator />
					<MenuItem danger onSelect={() => cancel(job)}>
						<CircleStop aria-hidden />
						Cancel job
					</MenuItem>
				</>
			) : null}
		</MenuPanel>
	);
}

const RunAgain = ({ onSelect }: { onSelect(): void }) => (
	<MenuItem onSelect={onSelect}>
		<RotateCw aria-hidden />
		Run again
	</MenuItem>
);
