import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { sendDeletions } from "#lib/client/delayed-deletes.ts";
import { signOut } from "#lib/client/session.ts";
import { shellTexts } from "#lib/texts/shell.ts";

const CHANNEL = "tapedeck-session";

/** This tab's end of the channel: what it says through it comes to the other tabs and not back to itself. */
let channel: BroadcastChannel | null = null;

export type SessionNews = "left" | "switched";

/** Calls `onNews` when another tab of this browser signs out or switches the organization. @returns how to stop listening. */
export function followSession(onNews: (news: SessionNews) => void): () => void {
	const own = new BroadcastChannel(CHANNEL);
	own.onmessage = ({ data }: MessageEvent<SessionNews>) => onNews(data);
	channel = own;
	return () => {
		own.close();
		if (channel === own) channel = null;
	};
}

export const tellTabs = (news: SessionNews): void => channel?.postMessage(news);

/** Signs out and forgets everything that this tab held. */
export async function leave(): Promise<void> {
	try {
		// Afterwards nobody is there who may delete.
		sendDeletions();
		await signOut();
		// The event stream of another tab may live on: it would go on showing what nobody may see now.
		tellTabs("left");
		location.assign("/login");
	} catch (error) {
		toast.error(shellTexts.stillSignedIn(wordsOf(error)));
	}
}
