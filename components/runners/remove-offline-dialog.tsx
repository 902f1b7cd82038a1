"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RemovedRunners, Runner } from "@tapedeck/contract/runner.ts";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { DialogContent, DialogDescription, DialogRoot, DialogTitle } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { call } from "#lib/client/api.ts";
import { counted, isolated } from "#lib/client/format.ts";
import { forgetRunner } from "#lib/client/runners.ts";

/** The most that the API removes with one call. */
const PER_CALL = 100;

/** Chooses among the runners that are offline, and removes the chosen ones. */
export function RemoveOfflineDialog({
	runners,
	open,
	onOpenChange,
	onCloseAutoFocus,
}: DialogControl & { runners: Runner[] }) {
	const [kept, setKept] = useState<ReadonlySet<number>>(new Set());
	const remove = useRemoveRunners();
	const chosen = runners.filter(({ id }) => !kept.has(id));
	const toggle = (id: number) => {
		const next = new Set(kept);
		if (!next.delete(id)) next.add(id);
		setKept(next);
	};
	const confirm = () => {
		void toastOutcome(remove.mutateAsync(chosen.map(({ id }) => id)), {
			done: `Removed ${counted(chosen.length, "runner", "runners")}.`,
			failed: "Couldn't remove all of these runners.",
		});
		onOpenChange(false);
	};
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent narrow onCloseAutoFocus={onCloseAutoFocus}>
				<div className="overflow-y-auto p-5">
					<DialogTitle className="text-lg font-semibold">Remove offline runners?</DialogTitle>
					<DialogDescription className="mt-1 text-sm text-muted">
						You can't undo this. Jobs that wait for them fail, and video that they haven't uploaded is lost. Jobs and
						recordings are kept under their names.
					</DialogDescription>
					<ul aria-label="Offline runners" className="mt-3 flex flex-col gap-1.5 text-sm">
						{runners.map(({ id, name, lastSeenAt }) => (
							<li key={id} className="flex items-center gap-2">
								<Checkbox label={name} checked={!kept.has(id)} onToggle={() => toggle(id)} />
								<span className="min-w-0 flex-1 truncate">{isolated(name)}</span>
								{lastSeenAt === null ? null : (
									<span className="text-xs text-muted">
										<TimeAgo at={lastSeenAt} />
									</span>
								)}
							</li>
						))}
					</ul>
					<div className="mt-5 flex justify-end gap-2">
						<Button onClick={() => onOpenChange(false)}>Cancel</Button>
						<Button
							variant="danger"
							aria-disabled={chosen.length === 0}
							onClick={chosen.length === 0 ? undefined : confirm}
						>
							{`Remove ${counted(chosen.length, "runner", "runners")}`}
						</Button>
					</div>
				</div>
			</DialogContent>
		</DialogRoot>
	);
}

function useRemoveRunners() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: async (ids: readonly number[]) => {
			for (let from = 0; from < ids.length; from += PER_CALL) {
				const body = { runnerIds: ids.slice(from, from + PER_CALL) };
				const { runnerIds } = await call<RemovedRunners>("POST", "/v1/runners/remove", { body });
				for (const id of runnerIds) forgetRunner(client, id);
			}
		},
	});
}
