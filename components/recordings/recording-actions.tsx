"use client";

import { Download, Link2, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { copyText } from "#components/ui/copy.ts";
import { wordsOf } from "#lib/client/api.ts";
import { formatBytes, formatInstant } from "#lib/client/format.ts";
import { downloadPath, useDeleteRecording } from "#lib/client/recordings.ts";
import type { Recording } from "#lib/contract/recording.ts";

interface Props {
	recording: Recording;
	currentSeconds(): number;
	onDeleted?(): void;
}

/** Link at the current time, download, delete. */
export function RecordingActions({ recording, currentSeconds, onDeleted }: Props) {
	const [asking, setAsking] = useState(false);
	const remove = useDeleteRecording();

	const copyLink = async () => {
		const seconds = Math.floor(currentSeconds() * 10) / 10;
		const link = `${location.origin}/recordings/${recording.id}${seconds > 0 ? `?t=${seconds}` : ""}`;
		if (await copyText(link)) toast.success(`Copied the link at ${formatInstant(seconds)}.`);
		else toast.error(`The browser did not allow copying. The link is ${link}`);
	};

	const confirmed = () =>
		remove.mutate(recording, {
			onSuccess: () => {
				setAsking(false);
				toast.success("Deleted the recording.");
				onDeleted?.();
			},
			onError: (error) => toast.error(`“${recording.name}” was not deleted. ${wordsOf(error)}`),
		});

	return (
		<>
			<Button
				look="quiet"
				size="icon"
				aria-label="Copy link at current time"
				title="Copy link at current time"
				onClick={() => void copyLink()}
			>
				<Link2 aria-hidden className="size-4" />
			</Button>
			<a
				href={downloadPath(recording.id)}
				download
				aria-label="Download"
				title={`Download (${formatBytes(recording.bytes)})`}
				className={buttonClass("quiet", "icon")}
			>
				<Download aria-hidden className="size-4" />
			</a>
			<Button
				look="quiet"
				size="icon"
				aria-label="Delete recording"
				title="Delete recording"
				onClick={() => setAsking(true)}
			>
				<Trash2 aria-hidden className="size-4" />
			</Button>
			<ConfirmDialog
				open={asking}
				onOpenChange={setAsking}
				title="Delete this recording?"
				action="Delete"
				busy={remove.isPending}
				onConfirm={confirmed}
			>
				“{recording.name}” and its file go for good.
				{recording.jobId === null ? "" : " The job that made it stays in the list."}
			</ConfirmDialog>
		</>
	);
}
