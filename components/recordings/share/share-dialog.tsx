"use client";

import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { LazyContent } from "#components/ui/lazy-content.tsx";

const loadForm = () => import("./share-form.tsx").then((module) => module.ShareForm);

/** Creates public links to a recording, and revokes them. */
export function ShareDialog({ recordingId, open, onOpenChange, ...content }: DialogControl & { recordingId: number }) {
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent {...content}>
				<DialogHead
					title="Share this recording"
					description="Anyone with the link can watch this video, with its name, outcome and markers, without signing in. Chats show its picture."
				/>
				{open ? (
					<div className="flex flex-col gap-5 overflow-y-auto p-5 *:shrink-0">
						<LazyContent load={loadForm} recordingId={recordingId} />
					</div>
				) : null}
			</DialogContent>
		</DialogRoot>
	);
}
