"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { toast } from "#components/ui/toast.ts";
import { ApiError, call, wordsOf } from "#lib/client/api.ts";
import { deleteLater, type Refusal, undoLastDeletion } from "#lib/client/delayed-deletes.ts";
import { forgetRecording } from "#lib/client/recordings.ts";
import { recordingsTexts as texts } from "#lib/texts/recordings.ts";

/** What is needed of a recording to delete it. */
export interface Deletable {
	id: number;
	name: string;
}

/**
 * Deletes recordings at once as far as anyone here sees, with 5 s to undo it before the server is told. What the
 * server refuses comes back with its words. Lists leave out what `useDeletedHere` names.
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
			onAnswered: (refused) => tellRefused(recordings, refused),
		},
	);
	// The toast stands for as long as there is something to undo, not longer and not shorter.
	const shown = toast(texts.deleted(recordings.length), {
		duration: Number.POSITIVE_INFINITY,
		action: { label: texts.undo, onClick: deletion.undo },
		onDismiss: deletion.send,
	});
}

/** Ctrl or ⌘ with Z, wherever one is, except while typing: there it undoes what was typed. */
function undoByKey(event: KeyboardEvent): void {
	if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
	if (event.defaultPrevented || isTyping(event.target)) return;
	if (undoLastDeletion()) event.preventDefault();
}

const isTyping = (target: EventTarget | null): boolean =>
	target instanceof HTMLElement && (target.isContentEditable || target.matches("textarea, input:not([type=checkbox])"));

async function remove(client: QueryClient, id: number): Promise<void> {
	try {
		await call<void>("DELETE", `/v1/recordings/${id}`, { keepalive: true });
	} catch (error) {
		// Somebody else was quicker; it is gone all the same.
		if (!(error instanceof ApiError && error.status === 404)) throw error;
	}
	forgetRecording(client, id);
}

function tellRefused(recordings: readonly Deletable[], refused: readonly Refusal[]): void {
	const [first] = refused;
	if (first === undefined) return;
	const why = wordsOf(first.error);
	const name = recordings.find(({ id }) => id === first.id)?.name ?? "";
	toast.error(refused.length === 1 ? texts.notDeleted(name, why) : texts.someNotDeleted(refused.length, why));
}
