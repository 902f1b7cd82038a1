"use client";

import { Upload } from "lucide-react";
import { useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { uploadTexts as texts } from "#lib/texts/uploads.ts";
import { useUploadFiles } from "./use-upload-files.ts";

/** Brings in videos that were made elsewhere. */
export function UploadButton() {
	const input = useRef<HTMLInputElement>(null);
	const upload = useUploadFiles();
	return (
		<>
			<input
				ref={input}
				type="file"
				multiple
				accept="video/mp4,video/webm,.mp4,.webm"
				aria-label={texts.videoFile}
				tabIndex={-1}
				className="sr-only"
				onChange={(event) => {
					upload([...(event.target.files ?? [])]);
					event.target.value = "";
				}}
			/>
			<Button onClick={() => input.current?.click()}>
				<Upload aria-hidden className="size-4" />
				{texts.uploadVideo}
			</Button>
		</>
	);
}
