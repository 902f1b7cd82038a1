"use client";

import { Upload } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useSession } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";
import { useLazyModule } from "#components/ui/use-lazy-module.ts";
import { errorMessage } from "#lib/client/api.ts";
import { formatBytes, quoted } from "#lib/client/format.ts";
import { type CheckedFile, checkFiles, type FileRefusal, startUploads } from "./upload.ts";

const loadDialog = () => import("./upload-dialog.tsx").then((module) => module.UploadDialog);

interface Props {
	/** Gets what the user has chosen. */
	onFiles(files: readonly File[]): void;
}

/** Chooses files that were made elsewhere. */
export function UploadButton({ onFiles }: Props) {
	const input = useRef<HTMLInputElement>(null);
	return (
		<>
			<input
				ref={input}
				type="file"
				multiple
				aria-label="Files"
				tabIndex={-1}
				className="sr-only"
				onChange={(event) => {
					onFiles([...(event.target.files ?? [])]);
					event.target.value = "";
				}}
			/>
			<Button onClick={() => input.current?.click()}>
				<Upload aria-hidden className="size-4" />
				Upload files
			</Button>
		</>
	);
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;

/** Takes files that are dropped anywhere on the page, and covers the page while they are dragged over it. */
export function DropArea({ onFiles }: Props) {
	const [over, setOver] = useState(false);
	/** Elements that the pointer is in: each one entered is reported before the one left. */
	const depth = useRef(0);

	useEffect(() => {
		const setDepth = (next: number) => {
			depth.current = Math.max(0, next);
			setOver(depth.current > 0);
		};
		const onDrag = (event: DragEvent) => {
			if (!hasFiles(event)) return;
			// Otherwise the browser would leave the page to show the file.
			event.preventDefault();
			if (event.type === "dragenter") setDepth(depth.current + 1);
			if (event.type === "dragleave") setDepth(depth.current - 1);
			if (event.type !== "drop") return;
			setDepth(0);
			onFiles([...(event.dataTransfer?.files ?? [])]);
		};
		const types = ["dragenter", "dragover", "dragleave", "drop"] as const;
		for (const type of types) document.addEventListener(type, onDrag);
		return () => {
			for (const type of types) document.removeEventListener(type, onDrag);
		};
	}, [onFiles]);

	if (!over) return null;
	return (
		<div className="motion-fade pointer-events-none fixed inset-0 z-50 bg-canvas/80 p-3 md:p-5">
			<div className="flex size-full flex-col items-center justify-center gap-1 rounded-xl border-2 border-dashed border-accent bg-accent-soft/60 text-center">
				<span className="mb-3 grid size-12 place-items-center rounded-full bg-accent text-on-accent">
					<Upload aria-hidden className="size-6" />
				</span>
				<p className="text-lg font-semibold">Drop files here to upload them</p>
				<p className="text-sm text-muted">MP4 and WebM videos play here, and images and texts are shown</p>
			</div>
		</div>
	);
}

/**
 * Uploads what the user has chosen, once they have said what it is of. A file that cannot become a recording is refused
 * with a toast before its first byte.
 * @returns a stable function that takes files, and the dialog.
 */
export function useUploadFiles(): { upload: Props["onFiles"]; dialog: ReactNode } {
	const { organizationId, userId } = useSession();
	const [chosen, setChosen] = useState<readonly CheckedFile[]>([]);
	const [UploadDialog, fetchDialog] = useLazyModule(loadDialog);
	const upload = useCallback(
		(files: readonly File[]) => {
			checkFiles(files)
				.then(async ({ checked, refused }) => {
					for (const refusal of refused) toast.error(messageOf(refusal));
					// More may be dropped over the dialog.
					if (checked.length > 0 && (await fetchDialog())) setChosen((before) => [...before, ...checked]);
				})
				.catch((error: unknown) => toast.error(errorMessage(error)));
		},
		[fetchDialog],
	);
	const dialog =
		UploadDialog === null ? null : (
			<UploadDialog
				files={chosen}
				onCancel={() => setChosen([])}
				onUpload={(keeping) => {
					startUploads(chosen, `${organizationId}/${userId}`, keeping);
					setChosen([]);
				}}
			/>
		);
	return { upload, dialog };
}

function messageOf(refusal: FileRefusal): string {
	const name = quoted(refusal.file.name);
	const size = formatBytes(refusal.file.size);
	switch (refusal.reason) {
		case "not_a_video":
			return `${name} isn't an MP4 or WebM video. Nothing was uploaded.`;
		case "empty":
			return `${name} is empty. Nothing was uploaded.`;
		case "unreadable":
			return `Couldn't read ${name}. To upload a folder, open it and select its files.`;
		case "too_large":
			return `${name} is ${size}. The maximum file size here is ${formatBytes(refusal.maxBytes)}.`;
		case "disk_full":
			return `${name} is ${size}, but the dashboard's disk has only ${formatBytes(refusal.freeBytes)} left for videos. Delete recordings, or shorten their retention in Settings.`;
		case "quota_exceeded":
			return `${name} is ${size}, but your organization's storage quota has only ${formatBytes(refusal.freeBytes)} left. Delete recordings, or ask the operator of this dashboard for more.`;
	}
}
