"use client";

import { Download, Link2, Trash2 } from "lucide-react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { copyText } from "#components/ui/copy.ts";
import { toast } from "#components/ui/toast.ts";
import { formatBytes, formatInstant } from "#lib/client/format.ts";
import { downloadPath } from "#lib/client/recordings.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { ShareDialog } from "./share-dialog.tsx";
import { useDeleteRecordings } from "./use-delete-recordings.ts";

interface Props {
	recording: Recording;
	currentSeconds(): number;
	onDeleted?(): void;
}

/** Link at the current time, download, delete. */
export function RecordingActions({ recording, currentSeconds, onDeleted }: Props) {
	const deleteRecordings = useDeleteRecordings();

	const copyLink = async () => {
		const seconds = Math.floor(currentSeconds() * 10) / 10;
		const link = `${location.origin}/recordings/${recording.id}${seconds > 0 ? `?t=${seconds}` : ""}`;
		if (await copyText(link)) toast.success(`Copied the link at ${formatInstant(seconds)}.`);
		else toast.error(`The browser did not allow copying. The link is ${link}`);
	};

	const deleteIt = () => {
		deleteRecordings([recording]);
		onDeleted?.();
	};

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
			<ShareDialog recordingId={recording.id} />
			<a
				href={downloadPath(recording.id)}
				download
				aria-label="Download"
				title={`Download (${formatBytes(recording.bytes)})`}
				className={buttonClass("quiet", "icon")}
			>
				<Download aria-hidden className="size-4" />
			</a>
			<Button look="quiet" size="icon" aria-label="Delete recording" title="Delete recording" onClick={deleteIt}>
				<Trash2 aria-hidden className="size-4" />
			</Button>
		</>
	);
}
