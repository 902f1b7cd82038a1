/** Signing out and switching the organization, in every tab of the browser. */
import { toast } from "#components/ui/toast.ts";
import { call, errorMessage } from "#lib/client/api.ts";
import { signOut } from "#lib/client/session.ts";
import type { SessionEnd } from "./sign-in.ts";

const CHANNEL = "tapedeck-session";

/** This tab's end of the channel: what it posts reaches the other tabs only. */
let channel: BroadcastChannel | null = null;

export type SessionChange = "signed-out" | "switched";

/** Calls `onChange` when another tab of this browser signs out or switches the organization. @returns how to stop listening. */
export function followSession(onChange: (change: SessionChange) => void): () => void {
	const own = new BroadcastChannel(CHANNEL);
	own.onmessage = ({ data }: MessageEvent<SessionChange>) => onChange(data);
	channel = own;
	return () => {
		own.close();
		if (channel === own) channel = null;
	};
}

const notifyTabs = (change: SessionChange): void => channel?.postMessage(change);

/** Once one thing leads to the sign-in page, others that are refused meanwhile change nothing about it. */
let isLeaving = false;

/** Leaves for the sign-in page, which says why, and comes back to this address afterwards. */
export function goToSignIn(ended: SessionEnd): void {
	if (isLeaving) return;
	isLeaving = true;
	const here = location.pathname + location.search + location.hash;
	location.assign(`/login?next=${encodeURIComponent(here)}&ended=${ended}`);
	// The browser may ask about an upload under way, and stay.
	setTimeout(() => {
		isLeaving = false;
	}, 5_000);
}

/** Signs out and leaves for the sign-in page, so that nothing of the session stays in this tab. */
export async function signOutAndLeave(): Promise<void> {
	isLeaving = true;
	try {
		await signOut();
		// Another tab may own the event stream and would go on showing its data.
		notifyTabs("signed-out");
		location.assign("/login");
	} catch (error) {
		isLeaving = false;
		toast.error(`You're still signed in. ${errorMessage(error)}`);
	}
}

/** Shows another organization of the user's, in every tab. */
export async function switchOrganization(organizationId: number): Promise<void> {
	try {
		await call("POST", "/api/auth/organization/set-active", { body: { organizationId: String(organizationId) } });
		notifyTabs("switched");
		reloadForOrganization();
	} catch (error) {
		toast.error(errorMessage(error));
	}
}

/** Reloads the page for the active organization; a job or recording of the other one gives way to its list. */
export function reloadForOrganization(): void {
	const { pathname } = location;
	location.assign(pathname.startsWith("/settings") ? pathname : `/${pathname.split("/")[1] ?? ""}`);
}
