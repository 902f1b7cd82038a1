import { redirect } from "next/navigation";
import { hadSession, pageSession, setupNeeded } from "#lib/server/page-context.ts";

type SearchParams = Record<string, string | string[] | undefined>;

/** The URL of a page with the query that was requested. */
export function requestedUrl(path: string, search: SearchParams): string {
	const params = new URLSearchParams();
	for (const [key, value] of Object.entries(search)) {
		for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) params.append(key, one);
	}
	const text = params.toString();
	return text === "" ? path : `${path}?${text}`;
}

/** The signed-in user. Redirects everyone else to sign-in, or to set-up if there is no account yet. */
export async function requireSession(path: string, search: SearchParams = {}) {
	const user = await pageSession();
	if (user !== null) return user;
	if (await setupNeeded()) redirect("/setup");
	const ended = (await hadSession()) ? "&ended=expired" : "";
	redirect(`/login?next=${encodeURIComponent(requestedUrl(path, search))}${ended}`);
}
