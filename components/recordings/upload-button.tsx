"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { applyRecording } from "#lib/client/recordings.ts";
import { uploadRecording } from "#lib/client/upload.ts";

/** Brings in a video that was made elsewhere. */
export function UploadButton() {
	const client = useQueryClient();
	const input = useRef<HTMLInputElement>(null);
	const [part, setPart] = useState<number | null>(null);

	const upload = async (file: File) => {
		setPart(0);
		try {
			const recording = await uploadRecording(file, setPart);
			applyRecording(client, recording);
			toast.success(`Uploaded “${recording.name}”.`);
		} catch (error) {
			toast.error(`“${file.name}” was not uploaded. ${wordsOf(error)}`);
		} finally {
			setPart(null);
		}
	};

	return (
		<>
			<input
				ref={input}
				type="file"
				accept="video/mp4,video/webm,.mp4,.webm"
				aria-label="Video file"
				tabIndex={-1}
				className="sr-only"
				onChange={(event) => {
					const file = event.target.files?.[0];
					event.target.value = "";
					if (file) void upload(file);
				}}
			/>
			<Button aria-disabled={part !== null} onClick={() => (part === null ? input.current?.click() : undefined)}>
				<Upload aria-hidden className="size-4" />
				{part === null ? "Upload video" : <span className="tabular-nums">Uploading… {Math.round(part * 100)} %</span>}
			</Button>
		</>
	);
}
