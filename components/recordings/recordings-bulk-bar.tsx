"use client";

import { Download, Trash2 } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { SelectionBar } from "#components/ui/selection-bar.tsx";
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
	<SelectionBar
		label={texts.selectedBar}
		count={texts.selected(recordings.length)}
		clear={texts.clearSelection}
		onClear={onClear}
	>
		<Button className="pointer-coarse:h-11" onClick={() => downloadAll(recordings)}>
			<Download aria-hidden className="size-4" />
			{texts.download}
		</Button>
		<Button look="danger" className="pointer-coarse:h-11" title={texts.deleteHint} onClick={onDelete}>
			<Trash2 aria-hidden className="size-4" />
			{texts.delete}
		</Button>
	</SelectionBar>
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
