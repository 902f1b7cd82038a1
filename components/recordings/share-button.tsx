"use client";

import { Share2 } from "lucide-react";
import { useCan } from "#components/session/use-session.ts";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { playerTexts as texts } from "#lib/texts/player.ts";

const loadDialog = () => import("./share/share-dialog.tsx").then((module) => module.ShareDialog);

/** The button `Share` of a recording. Viewers are shown none. */
export function ShareButton({ recordingId }: { recordingId: number }) {
	if (!useCan("write")) return null;
	return (
		<DialogButton
			load={loadDialog}
			dialog={(Dialog, place) => <Dialog recordingId={recordingId} {...place} />}
			look="quiet"
			size="icon"
			aria-label={texts.share}
			title={texts.share}
		>
			<Share2 aria-hidden className="size-4" />
		</DialogButton>
	);
}
