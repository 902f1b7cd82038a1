"use client";

import { CircleStop, Copy, PanelRight, Play, RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { useCan } from "#components/session/use-session.ts";
import { copyText } from "#components/ui/copy.ts";
import { MenuItem, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuPlace } from "#components/ui/menu-button.tsx";
import { toast } from "#components/ui/toast.ts";
import { useDeletedHere } from "#lib/client/delayed-deletes.ts";
import { isCancellable } from "#lib/client/job-filters.ts";
import { wantToPlay } from "#lib/client/play-intent.ts";
import type { Job } from "#lib/contract/job.ts";
import { jobDrawerTexts } from "#lib/texts/job-drawer.ts";
import { rowTexts } from "#lib/texts/jobs.ts";
import { openCreateForm } from "../create-form-door.ts";
import { useCancelWithWords } from "../use-cancel-with-words.ts";

async function copyId({ id }: Job): Promise<void> {
	if (await copyText(String(id))) toast.success(rowTexts.idCopied(id));
	else toast.error(rowTexts.idNotCopied(id));
}

/** What can be done with a job of the list. */
export function JobActionsMenu({ job, onOpen, ...place }: MenuPlace & { job: Job; onOpen(): void }) {
	const router = useRouter();
	const opensDrawer = useRef(false);
	const cancel = useCancelWithWords();
	const mayWrite = useCan("write");
	const deleted = useDeletedHere();
	const recording = job.recording === null || deleted.has(job.recording.id) ? null : job.recording;

	const runAgain = () => {
		opensDrawer.current = true;
		openCreateForm({ like: job.id, from: place.trigger.current });
	};

	return (
		<MenuPanel
			{...place}
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
				{rowTexts.viewDetails}
			</MenuItem>
			{recording !== null ? (
				<MenuItem
					onSelect={() => {
						wantToPlay(recording.id);
						router.push(`/recordings/${recording.id}`);
					}}
				>
					<Play aria-hidden />
					{rowTexts.playVideo}
				</MenuItem>
			) : null}
			<MenuItem onSelect={() => void copyId(job)}>
				<Copy aria-hidden />
				{rowTexts.copyId}
			</MenuItem>
			{mayWrite ? <RunAgain onSelect={runAgain} /> : null}
			{mayWrite && isCancellable(job) && job.cancelRequestedAt === null ? (
				<>
					<MenuSeparator />
					<MenuItem danger onSelect={() => cancel.mutate(job)}>
						<CircleStop aria-hidden />
						{rowTexts.cancelJob}
					</MenuItem>
				</>
			) : null}
		</MenuPanel>
	);
}

const RunAgain = ({ onSelect }: { onSelect(): void }) => (
	<MenuItem onSelect={onSelect}>
		<RotateCw aria-hidden />
		{jobDrawerTexts.runAgain}
	</MenuItem>
);
