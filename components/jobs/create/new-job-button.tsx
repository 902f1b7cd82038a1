"use client";

import { Plus } from "lucide-react";
import { memo, useCallback, useEffect, useRef } from "react";
import { LinkButton } from "#components/navigation/link-button.tsx";
import { useShortcuts, useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { useCan } from "#components/session/use-session.ts";
import { toast } from "#components/ui/toast.ts";
import { useLazyModule } from "#components/ui/use-lazy-module.ts";
import { useUserIntent } from "#components/ui/use-user-intent.ts";
import { quoted } from "#lib/client/format.ts";
import type { Job } from "#lib/contract/job.ts";
import { openCreateForm, replaceCreateForm, useCreateFormUrl } from "./create-form-url.ts";

const loadDialog = () => import("./create-job-dialog.tsx").then((module) => module.CreateJobDialog);

interface Props {
	onOpenJob(id: number, from: HTMLElement | null): void;
}

/** The button `New job` and its form, which the key N and `?new=1` open as well. For people who may create jobs. */
export const NewJobButton = memo(function NewJobButton({ onOpenJob }: Props) {
	return useCan("jobs:write") ? <NewJob onOpenJob={onOpenJob} /> : null;
});

function NewJob({ onOpenJob }: Props) {
	const { open, like, close, href, restoreFocus } = useCreateFormUrl();
	const button = useRef<HTMLAnchorElement>(null);
	const singleKeys = useSingleKeys();
	const [Dialog, fetch] = useLazyModule(loadDialog);
	useShortcuts({ newJob: () => openCreateForm() });
	useUserIntent(useCallback(() => void fetch(true), [fetch]));
	useEffect(() => {
		// A dialog that failed to load is not open; opening it again loads it again.
		if (open) void fetch().then((loaded) => loaded || close());
	}, [open, fetch, close]);
	const created = (job: Job) => {
		replaceCreateForm((opener) => onOpenJob(job.id, opener ?? button.current));
		toast.success(`Created ${quoted(job.name)}.`);
	};
	return (
		<>
			<LinkButton
				ref={button}
				href={href}
				variant="primary"
				className="pointer-coarse:h-11"
				title={singleKeys ? "New job (N)" : undefined}
				aria-haspopup="dialog"
				onPress={() => openCreateForm({ from: button.current })}
			>
				<Plus aria-hidden className="size-4" />
				New job
			</LinkButton>
			{Dialog === null ? null : (
				<Dialog
					open={open}
					like={like}
					onClose={close}
					onClosed={() => restoreFocus(button.current)}
					onCreated={created}
				/>
			)}
		</>
	);
}
