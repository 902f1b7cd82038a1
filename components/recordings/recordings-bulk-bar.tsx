"use client";

import { Download, Trash2, X } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";
import { downloadPath } from "#lib/client/recordings.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { recordingsTexts as texts } from "#lib/texts/recordings.ts";

interface Props {
	recordings: readonly Recording[];
	onDelete(): void;
	onClear(): void;
}

/** What can be done with the selected recordings. */
export const RecordingsBulkBar = ({ recordings, onDelete, onClear }: Props) => (
	<div className="pointer-events-none absolute inset-x-0 bottom-4 z-20 flex justify-center px-4">
		<section
			aria-label={texts.selectedBar}
			className="motion-fade pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-1 rounded-xl border border-line bg-surface p-1.5 shadow-float"
		>
			<p role="status" className="px-2.5 text-sm font-medium whitespace-nowrap tabular-nums">
				{texts.selected(recordings.length)}
			</p>
			<Button className="pointer-coarse:h-11" onClick={() => downloadAll(recordings)}>
				<Download aria-hidden className="size-4" />
				{texts.download}
			</Button>
			<Button look="danger" className="pointer-coarse:h-11" title={texts.deleteHint} onClick={onDelete}>
				<Trash2 aria-hidden className="size-4" />
				{texts.delete}
			</Button>
			<Button
				look="quiet"
				size="icon"
				className="pointer-coarse:size-11"
				aria-label={texts.clearSelection}
				title={texts.clearSelection}
				onClick={onClear}
			>
				<X aria-hidden className="size-4" />
			</Button>
		</section>
	</div>
);

/** Each as a download of its own: the browser keeps them in its list, and goes on with them when the page is left. */
function downloadAll(recordings: readonly Recording[]): void {
	for (const { id } of recordings) {
		const link = document.createElement("a");
		link.href = downloadPath(id);
		link.download = "";
		link.click();
	}
	if (recordings.length > 1) toast(texts.downloadAsked(recordings.length));
}
