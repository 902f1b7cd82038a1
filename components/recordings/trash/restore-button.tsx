"use client";

import { RotateCcw } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { quoted } from "#lib/client/format.ts";
import { useRestoreRecording } from "../deleted-recordings.ts";

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
		void toastOutcome(restore.mutateAsync(id), {
			done: () => {
				toast.success(`Restored ${quoted(name)}. Retention keeps it for 7 days.`);
				onRestored?.();
			},
			failed: "Couldn't restore the recording.",
		});
	return (
		<Button size={size} aria-label={`Restore ${name}`} aria-disabled={restore.isPending} onClick={press}>
			<RotateCcw aria-hidden className="size-4" />
			Restore
		</Button>
	);
}
