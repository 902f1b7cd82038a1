"use client";

import { useCallback } from "react";
import { useSession } from "#components/session/use-session.ts";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { formatBytes } from "#lib/client/format.ts";
import { type FileRefusal, uploadFiles } from "#lib/client/upload.ts";
import { uploadTexts as texts } from "#lib/texts/uploads.ts";

/** Begins to upload files; what cannot become a recording is refused in words before its first byte. */
export function useUploadFiles(): (files: readonly File[]) => void {
	const { organizationId, userId } = useSession();
	return useCallback(
		(files) => {
			uploadFiles(files, `${organizationId}/${userId}`)
				.then((refused) => {
					for (const refusal of refused) toast.error(wordsFor(refusal));
				})
				.catch((error: unknown) => toast.error(wordsOf(error)));
		},
		[organizationId, userId],
	);
}

function wordsFor(refusal: FileRefusal): string {
	const { file, why } = refusal;
	const size = formatBytes(file.size);
	if (why === "noRoom" || why === "noQuota") return texts[why](file.name, size, formatBytes(refusal.roomBytes));
	if (why === "tooLarge") return texts.tooLarge(file.name, size, formatBytes(refusal.mostBytes));
	return why === "noVideo" ? texts.noVideo(file.name) : texts.unreadable(file.name);
}
