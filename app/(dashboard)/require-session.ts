import { redirect } from "next/navigation";
import { pageSession, setupNeeded } from "#lib/server/page-context.ts";

type SearchParams = Record<string, string | string[] | undefined>;

/** The address that was asked for, to come back to after signing in. */
function addressOf(path: string, search: SearchParams): string {
	const params = new URLSearchParams();
	for (const [key, value] of Object.entries(search)) {
		for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) params.append(key, one);
	}
	const text = params.toString();
	return text === "" ? path : `${path}?${text}`;
}

/** Who is signed in. Everybody else goes to sign in, or on the very first visit to set up. */
export async function requireSession(path: string, search: SearchParams = {}) {
	const user = await pageSession();
	if (user !== null) return user;
	if (await setupNeeded()) redirect("/setup");
	redirect(`/login?next=${encodeURIComponent(addressOf(path, search))}`);
}
