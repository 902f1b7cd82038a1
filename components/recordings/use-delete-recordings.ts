"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { useCallback } from "react";
import { isTaken, shortcutOf } from "#components/navigation/use-shortcuts.ts";
import { toast } from "#components/ui/toast.ts";
import { ApiError, call, errorMessage } from "#lib/client/api.ts";
import { fewAtATime } from "#lib/client/few-at-a-time.ts";
import { counted, quoted } from "#lib/client/format.ts";
import { applyRecording, forgetRecording, recordingKeys } from "#lib/client/recordings.ts";
import { retentionQuery } from "#lib/client/retention.ts";

/** The properties of a recording that are needed to delete it. */
export interface Deletable {
	id: number;
	name: string;
}

/** The last deletion, while its toast offers to undo it. */
let undoable: { undo(): void } | null = null;

/**
 * Deletes recordings and offers to restore them from the trash. They are hidden at once; one that the server refuses to delete
 * comes back, with the reason in a toast. An organization without a trash is asked first.
 * @returns `onBegun` is called just before they are hidden
 */
export function useDeleteRecordings(): (recordings: readonly Deletable[], onBegun?: () => void) => void {
	const client = useQueryClient();
	return useCallback(
		(recordings, onBegun) => {
			if (recordings.length > 0) void deleteOrAsk(client, recordings, onBegun);
		},
		[client],
	);
}

async function deleteOrAsk(
	client: QueryClient,
	recordings: readonly Deletable[],
	onBegun: (() => void) | undefined,
): Promise<void> {
	const begin = (hasTrash: boolean) => {
		onBegun?.();
		deleteAll(client, recordings, hasTrash);
	};
	try {
		const { trashHours } = await client.fetchQuery(retentionQuery());
		if (trashHours > 0) return begin(true);
		toast.warning(`Without a trash, ${counted(recordings.length, "recording", "recordings")} can't be restored.`, {
			duration: Number.POSITIVE_INFINITY,
			action: { label: "Delete for good", onClick: () => begin(false) },
		});
	} catch (error) {
		showRefused(
			"delete",
			recordings.map((item) => ({ item, error })),
		);
	}
}

function deleteAll(client: QueryClient, recordings: readonly Deletable[], hasTrash: boolean): void {
	for (const { id } of recordings) forgetRecording(client, id);
	const deleted = fewAtATime(recordings, remove).then((refused) => {
		if (refused.length > 0) void client.invalidateQueries({ queryKey: recordingKeys.all });
		showRefused("delete", refused);
		return recordings.filter((one) => refused.every(({ item }) => item !== one));
	});
	const undo = async () => {
		const refused = await fewAtATime(await deleted, async ({ id }) =>
			applyRecording(client, await call<Recording>("POST", `/v1/deleted-recordings/${id}/restore`)),
		);
		showRefused("restore", refused);
		// A search may find them, which only the server knows.
		void client.invalidateQueries({ queryKey: recordingKeys.lists });
	};
	const message = `Deleted ${counted(recordings.length, "recording", "recordings")}.`;
	if (!hasTrash) return void toast(message);
	const own = {
		undo() {
			toast.dismiss(shown);
			void undo();
		},
	};
	const end = () => {
		if (undoable === own) undoable = null;
	};
	const shown = toast(message, {
		action: { label: "Undo", onClick: () => void undo() },
		onDismiss: end,
		onAutoClose: end,
	});
	undoable = own;
	document.addEventListener("keydown", undoByKey);
}

/** Except in text fields, where the same keys undo typing. */
function undoByKey(event: KeyboardEvent): void {
	if (event.defaultPrevented || isTaken(event) || shortcutOf(event, ["undoDelete"]) === undefined) return;
	if (undoable === null) return;
	event.preventDefault();
	undoable.undo();
}

async function remove({ id }: Deletable): Promise<void> {
	try {
		await call<void>("DELETE", `/v1/recordings/${id}`, { keepalive: true });
	} catch (error) {
		// Another user deleted it first.
		if (!(error instanceof ApiError && error.status === 404)) throw error;
	}
}

function showRefused(verb: "delete" | "restore", refused: readonly { item: Deletable; error: unknown }[]): void {
	const [first] = refused;
	if (first === undefined) return;
	const what = refused.length === 1 ? quoted(first.item.name) : counted(refused.length, "recording", "recordings");
	toast.error(`Couldn't ${verb} ${what}. ${errorMessage(first.error)}`);
}
