import { toast } from "sonner";
import { wordsOf } from "#lib/client/api.ts";
import { signOut } from "#lib/client/session.ts";

/** Signs out and forgets everything that this tab held. */
export async function leave(): Promise<void> {
	try {
		await signOut();
		location.assign("/login");
	} catch (error) {
		toast.error(`You are still signed in. ${wordsOf(error)}`);
	}
}
