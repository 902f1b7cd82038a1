"use client";

import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { counted } from "#lib/client/format.ts";
import { type TrashFilters, useRestoreDeleted } from "../deleted-recordings.ts";

const HOUR_MS = 3_600_000;

/** The choices of the two lists above the trash. */
const REASONS = {
	all: { label: "For any reason", reason: undefined },
	retention: { label: "By retention", reason: ["age", "size", "disk"] },
	age: { label: "By the age limit", reason: ["age"] },
	size: { label: "By the storage limit", reason: ["size"] },
	disk: { label: "Because the disk was too full", reason: ["disk"] },
	request: { label: "By a person or a script", reason: ["request"] },
} as const;
const AGES = { any: "At any time", "1": "In the last hour", "6": "In the last 6 hours", "24": "In the last 24 hours" };

export interface TrashChoice {
	reason: keyof typeof REASONS;
	age: keyof typeof AGES;
}
export const WHOLE_TRASH: TrashChoice = { reason: "all", age: "any" };

/** @param now when the choice was made: the list must not change while it is read. */
export function filtersOf({ reason, age }: TrashChoice, now: number): TrashFilters {
	const wanted = REASONS[reason].reason;
	return {
		...(wanted === undefined ? {} : { reason: [...wanted] }),
		...(age === "any" ? {} : { deletedAfter: new Date(now - Number(age) * HOUR_MS).toISOString() }),
	};
}

/** Chooses which deletions the list shows. */
export const TrashFilter = ({ choice, onChange }: { choice: TrashChoice; onChange(choice: TrashChoice): void }) => (
	<div className="flex flex-wrap gap-2">
		<select
			aria-label="Why deleted"
			className={inputClass()}
			value={choice.reason}
			onChange={({ target }) => onChange({ ...choice, reason: target.value as TrashChoice["reason"] })}
		>
			{Object.entries(REASONS).map(([value, { label }]) => (
				<option key={value} value={value}>
					{label}
				</option>
			))}
		</select>
		<select
			aria-label="When deleted"
			className={inputClass()}
			value={choice.age}
			onChange={({ target }) => onChange({ ...choice, age: target.value as TrashChoice["age"] })}
		>
			{Object.entries(AGES).map(([value, label]) => (
				<option key={value} value={value}>
					{label}
				</option>
			))}
		</select>
	</div>
);

/** Restores all recordings of the list, including those that are not loaded yet. */
export function RestoreAllButton({ filters, onRestored }: { filters: TrashFilters; onRestored(): void }) {
	const [asking, setAsking] = useState(false);
	const restore = useRestoreDeleted();
	const confirm = () =>
		void toastOutcome(restore.mutateAsync(filters), {
			done: (restored) => {
				setAsking(false);
				toast.success(`Restored ${counted(restored, "recording", "recordings")}. Retention keeps them for 7 days.`);
				onRestored();
			},
			failed: "Couldn't restore all recordings.",
		});
	return (
		<>
			<Button onClick={() => setAsking(true)}>
				<RotateCcw aria-hidden className="size-4" />
				Restore all…
			</Button>
			<ConfirmDialog
				open={asking}
				onOpenChange={setAsking}
				title="Restore all?"
				action="Restore all"
				busy={restore.isPending}
				onConfirm={confirm}
			>
				Every recording that this list shows is restored, and retention spares it for 7 days. Change the retention
				settings before they end, or pin what is to stay. While a storage or disk limit is exceeded, retention deletes
				other recordings.
			</ConfirmDialog>
		</>
	);
}
