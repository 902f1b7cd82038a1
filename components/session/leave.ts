import { toast } from "sonner";
import { wordsOf } from "#lib/client/api.ts";
import { signOut } from "#lib/client/session.ts";

const CHANNEL = "tapedeck-session";

/** Calls `onLeft` when another tab of this browser signs out. @returns how to stop listening. */
export function followLeaving(onLeft: () => void): () => void {
	const channel = new BroadcastChannel(CHANNEL);
	channel.onmessage = onLeft;
	return () => channel.close();
}

/** Signs out and forgets everything that this tab held. */
export async function leave(): Promise<void> {
	try {
		await signOut();
		// The event stream of another tab may live on: it would go on showing what nobody may see now.
		const channel = new BroadcastChannel(CHANNEL);
		channel.postMessage("left");
		channel.close();
		location.assign("/login");
	} catch (error) {
		toast.error(`You are still signed in. ${wordsOf(error)}`);
	}
}
