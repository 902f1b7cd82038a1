import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { sendDeletions } from "#lib/client/delayed-deletes.ts";
import { signOut } from "#lib/client/session.ts";
import { shellTexts } from "#lib/texts/shell.ts";

const CHANNEL = "tapedeck-session";

/** This tab's end of the channel: what it says through it comes to the other tabs and not back to itself. */
let channel: BroadcastChannel | null = null;

/** Calls `onLeft` when another tab of this browser signs out. @returns how to stop listening. */
export function followLeaving(onLeft: () => void): () => void {
	const own = new BroadcastChannel(CHANNEL);
	own.onmessage = onLeft;
	channel = own;
	return () => {
		own.close();
		if (channel === own) channel = null;
	};
}

/** Signs out and forgets everything that this tab held. */
export async function leave(): Promise<void> {
	try {
		// Afterwards nobody is there who may delete.
		sendDeletions();
		await signOut();
		// The event stream of another tab may live on: it would go on showing what nobody may see now.
		channel?.postMessage("left");
		location.assign("/login");
	} catch (error) {
		toast.error(shellTexts.stillSignedIn(wordsOf(error)));
	}
}
