"use client";

import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import type { PlayerStore } from "../player/player-store.ts";

const loadForm = () => import("./share-form.tsx").then((module) => module.ShareForm);

interface Props extends DialogControl {
	recordingId: number;
	/** Null for a file without moments. */
	player: Pick<PlayerStore, "currentSeconds" | "getState"> | null;
}

/** Creates public links to a recording, and revokes them. */
export function ShareDialog({ recordingId, player, open, onOpenChange, ...content }: Props) {
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent {...content}>
				<DialogHead
					title="Share this recording"
					description={
						player === null
							? "Anyone with the link can open it without signing in."
							: "Anyone with the link can open it without signing in. A page has the whole video with its name, outcome and markers, and chats show its picture."
					}
				/>
				{open ? (
					<div className="flex flex-col gap-5 overflow-y-auto p-5 *:shrink-0">
						<LazyContent load={loadForm} recordingId={recordingId} player={player} />
					</div>
				) : null}
			</DialogContent>
		</DialogRoot>
	);
}
