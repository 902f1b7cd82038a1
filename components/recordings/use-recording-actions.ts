"use client";

import { copyText } from "#components/ui/copy.ts";
import { toast } from "#components/ui/toast.ts";
import { formatInstant } from "#lib/client/format.ts";
import type { Played } from "#lib/client/recordings.ts";
import { playerTexts as texts } from "#lib/texts/player.ts";
import { copyFrame, saveFrame } from "./frame-picture.ts";
import { useDeleteRecordings } from "./use-delete-recordings.ts";

export interface RecordingActions {
	copyLink(): void;
	/** Copies the picture that is shown; where the browser does not allow it, it is saved. */
	copyFrame(): void;
	saveFrame(): void;
	delete(): void;
}

/** What can be done with a recording that plays, each with its words. */
export function useRecordingActions(
	recording: Played,
	video: { readonly current: HTMLVideoElement | null },
	onDeleted?: () => void,
): RecordingActions {
	const deleteRecordings = useDeleteRecordings();
	const here = () => video.current?.currentTime ?? 0;

	const copyLink = async () => {
		const seconds = Math.floor(here() * 1000) / 1000;
		const page = recording.shared ? location.pathname : `/recordings/${recording.id}`;
		const link = `${location.origin}${page}${seconds > 0 ? `?t=${seconds}` : ""}`;
		if (await copyText(link)) toast.success(texts.linkCopied(formatInstant(seconds)));
		else toast.error(texts.notCopied(link));
	};
	const keepFrame = async (copied: (video: HTMLVideoElement) => Promise<boolean>, saved: (at: string) => string) => {
		const element = video.current;
		if (element === null || element.videoWidth === 0) return void toast.error(texts.noFrame);
		const at = formatInstant(here());
		if (await copied(element)) return void toast.success(texts.frameCopied(at));
		await saveFrame(element, texts.frameFile(recording.name, at.replaceAll(":", ".")));
		toast.success(saved(at));
	};
	return {
		copyLink: () => void copyLink(),
		copyFrame: () => void keepFrame(copyFrame, texts.frameSavedInstead),
		saveFrame: () => void keepFrame(async () => false, texts.frameSaved),
		delete: () => {
			deleteRecordings([recording]);
			onDeleted?.();
		},
	};
}
