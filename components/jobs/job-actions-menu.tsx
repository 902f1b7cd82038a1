"use client";

import { CircleStop, Copy, Ellipsis, PanelRight, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { buttonClass } from "#components/ui/button.tsx";
import { copyText } from "#components/ui/copy.ts";
import { MenuContent, MenuItem, MenuRoot, MenuSeparator, MenuTrigger } from "#components/ui/menu.tsx";
import { toast } from "#components/ui/toast.ts";
import { isCancellable } from "#lib/client/job-filters.ts";
import { wantToPlay } from "#lib/client/play-intent.ts";
import type { Job } from "#lib/contract/job.ts";
import { useCancelWithWords } from "./use-cancel-with-words.ts";

interface Props {
	job: Job;
	/** Whether Tab reaches the button. */
	tabStop: boolean;
	onOpen(id: number, from: HTMLElement | null): void;
}

/** What can be done with a job of the list. */
export function JobActionsMenu({ job, tabStop, onOpen }: Props) {
	const router = useRouter();
	const trigger = useRef<HTMLButtonElement>(null);
	const opensDrawer = useRef(false);
	const cancel = useCancelWithWords();
	const { recording } = job;

	const copyId = async () => {
		if (await copyText(String(job.id))) toast.success(`Copied the job's ID, ${job.id}.`);
		else toast.error(`The browser did not allow copying. The job's ID is ${job.id}.`);
	};

	return (
		<MenuRoot>
			<MenuTrigger
				ref={trigger}
				tabIndex={tabStop ? undefined : -1}
				aria-label={`Actions for ${job.name}`}
				onClick={(event) => event.stopPropagation()}
				className={buttonClass("quiet", "icon")}
			>
				<Ellipsis aria-hidden className="size-4" />
			</MenuTrigger>
			<MenuContent
				onClick={(event) => event.stopPropagation()}
				onCloseAutoFocus={(event) => {
					// The drawer takes the focus, and gives it back to the button later.
					if (opensDrawer.current) event.preventDefault();
					opensDrawer.current = false;
				}}
			>
				<MenuItem
					onSelect={() => {
						opensDrawer.current = true;
						onOpen(job.id, trigger.current);
					}}
				>
					<PanelRight aria-hidden />
					View details
				</MenuItem>
				{recording !== null ? (
					<MenuItem
						onSelect={() => {
							wantToPlay(recording.id);
							router.push(`/recordings/${recording.id}`);
						}}
					>
						<Play aria-hidden />
						Play video
					</MenuItem>
				) : null}
				<MenuItem onSelect={() => void copyId()}>
					<Copy aria-hidden />
					Copy job ID
				</MenuItem>
				{isCancellable(job) && job.cancelRequestedAt === null ? (
					<>
						<MenuSeparator />
						<MenuItem danger onSelect={() => cancel.mutate(job)}>
							<CircleStop aria-hidden />
							Cancel job
						</MenuItem>
					</>
				) : null}
			</MenuContent>
		</MenuRoot>
	);
}
