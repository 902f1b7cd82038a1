"use client";

import { copyText } from "#components/ui/copy-button.tsx";
import { toast } from "#components/ui/toast.ts";
import { formatInstant } from "#lib/client/format.ts";
import type { Played } from "#lib/client/recordings.ts";
import { useDeleteRecordings } from "../use-delete-recordings.ts";
import { pathAt } from "./player-link.ts";
import type { PlayerStore } from "./player-store.ts";

export interface RecordingActions {
	copyLink(): void;
	/** Copies the current frame as PNG; saves it where the browser does not allow copying. */
	copyFrame(): void;
	saveFrame(): void;
	delete(): void;
}

/** What can be done with a recording in the player, each with its toast. */
export function useRecordingActions(
	recording: Played,
	player: PlayerStore,
	onDeleted: (() => void) | undefined,
): RecordingActions {
	const deleteRecordings = useDeleteRecordings();

	const copyLink = async () => {
		const seconds = player.currentSeconds();
		const page = recording.shared ? location.pathname : `/recordings/${recording.id}`;
		const link = `${location.origin}${pathAt(page, seconds)}`;
		if (await copyText(link)) toast.success(`Copied the link at ${formatInstant(seconds)}.`);
		else toast.error(`Your browser blocked copying. The link is ${link}`);
	};
	const keepFrame = async (copy: boolean) => {
		const { video } = player;
		if (video === null || video.videoWidth === 0) return void toast.error("There is no frame to copy yet.");
		const at = formatInstant(video.currentTime);
		if (copy && (await copyFrame(video))) return void toast.success(`Copied the frame at ${at}.`);
		await downloadFrame(video, `${recording.name} at ${at.replaceAll(":", ".")}.png`);
		const saved = `Saved the frame at ${at} as a file.`;
		toast.success(copy ? `Your browser blocked copying images. ${saved}` : saved);
	};
	return {
		copyLink: () => void copyLink(),
		copyFrame: () => void keepFrame(true),
		saveFrame: () => void keepFrame(false),
		delete: () => {
			deleteRecordings([recording]);
			onDeleted?.();
		},
	};
}

const PNG = "image/png";

/** @returns false where browsers keep pages from the clipboard, as those that are not served securely. */
async function copyFrame(video: HTMLVideoElement): Promise<boolean> {
	if (navigator.clipboard?.write === undefined || typeof ClipboardItem === "undefined") return false;
	try {
		// The promise itself is handed over: some browsers allow writing only at the very moment of the click.
		await navigator.clipboard.write([new ClipboardItem({ [PNG]: pngOf(video) })]);
		return true;
	} catch {
		return false;
	}
}

/** @param name of the file; characters that file names cannot have are replaced. */
async function downloadFrame(video: HTMLVideoElement, name: string): Promise<void> {
	const url = URL.createObjectURL(await pngOf(video));
	const link = document.createElement("a");
	link.href = url;
	link.download = name.replace(/[\\/:*?"<>|]/g, "-");
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function pngOf(video: HTMLVideoElement): Promise<Blob> {
	const canvas = document.createElement("canvas");
	canvas.width = video.videoWidth;
	canvas.height = video.videoHeight;
	canvas.getContext("2d")?.drawImage(video, 0, 0);
	return new Promise((resolve, reject) =>
		canvas.toBlob((blob) => (blob === null ? reject(new Error("the frame has no image")) : resolve(blob)), PNG),
	);
}
