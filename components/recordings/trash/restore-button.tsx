"use client";

import { RotateCcw } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { useRestoreRecording } from "#lib/client/deleted-recordings.ts";
import { quoted } from "#lib/client/format.ts";

/** Brings a deleted recording back. */
export function RestoreButton({
	id,
	name,
	size,
	onRestored,
}: {
	id: number;
	name: string;
	size?: "small";
	onRestored?(): void;
}) {
	const restore = useRestoreRecording();
	const press = () =>
		restore.mutate(id, {
			onSuccess: ({ pinned }) => {
				toast.success(pinned ? `Restored and pinned ${quoted(name)}.` : `Restored ${quoted(name)}.`);
				onRestored?.();
			},
			onError: (error) => toast.error(`Couldn't restore the recording. ${errorMessage(error)}`),
		});
	return (
		<Button size={size} aria-label={`Restore ${name}`} aria-disabled={restore.isPending} onClick={press}>
			<RotateCcw aria-hidden className="size-4" />
			Restore
		</Button>
	);
}
