"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { isTaken, shortcutOf } from "#components/navigation/use-shortcuts.ts";
import { toast } from "#components/ui/toast.ts";
import { ApiError, call, errorMessage } from "#lib/client/api.ts";
import { deleteLater, type Refusal, undoLastDeletion } from "#lib/client/delayed-deletes.ts";
import { counted, quoted } from "#lib/client/format.ts";
import { forgetRecording } from "#lib/client/recordings.ts";

/** The properties of a recording that are needed to delete it. */
export interface Deletable {
	id: number;
	name: string;
}

/**
 * Hides recordings at once and deletes them on the server 5 s later, unless that is undone. A recording that the server
 * refuses to delete comes back, with the reason in a toast. Lists leave out what `useDeletedHere` names.
 */
export function useDeleteRecordings(): (recordings: readonly Deletable[]) => void {
	const client = useQueryClient();
	return useCallback((recordings) => deleteWithUndo(client, recordings), [client]);
}

function deleteWithUndo(client: QueryClient, recordings: readonly Deletable[]): void {
	if (recordings.length === 0) return;
	document.addEventListener("keydown", undoByKey);
	const deletion = deleteLater(
		recordings.map(({ id }) => id),
		{
			remove: (id) => remove(client, id),
			onDecided: () => toast.dismiss(shown),
			onAnswered: (refused) => showRefused(recordings, refused),
		},
	);
	// The toast stays exactly as long as there is something to undo.
	const shown = toast(`Deleted ${counted(recordings.length, "recording", "recordings")}.`, {
		duration: Number.POSITIVE_INFINITY,
		action: { label: "Undo", onClick: deletion.undo },
		onDismiss: deletion.send,
	});
}

/** Except in text fields, where the same keys undo typing. */
function undoByKey(event: KeyboardEvent): void {
	if (event.defaultPrevented || isTaken(event) || shortcutOf(event, ["undoDelete"]) === undefined) return;
	if (undoLastDeletion()) event.preventDefault();
}

async function remove(client: QueryClient, id: number): Promise<void> {
	try {
		await call<void>("DELETE", `/v1/recordings/${id}`, { keepalive: true });
	} catch (error) {
		// Another user deleted it first.
		if (!(error instanceof ApiError && error.status === 404)) throw error;
	}
	forgetRecording(client, id);
}

function showRefused(recordings: readonly Deletable[], refused: readonly Refusal[]): void {
	const [first] = refused;
	if (first === undefined) return;
	const name = recordings.find(({ id }) => id === first.id)?.name ?? "";
	const what = refused.length === 1 ? quoted(name) : counted(refused.length, "recording", "recordings");
	toast.error(`Couldn't delete ${what}. ${errorMessage(first.error)}`);
}
