/** The one file of the server that pages may use: who is signed in. For Next's pages and layouts only. */
import { headers } from "next/headers";
import { cache } from "react";
import { authenticate } from "../auth/credentials/authenticate.ts";
import { sessionUser } from "../auth/sign-in/identity.ts";
import { setupState } from "../auth/sign-in/setup.ts";
import type { SharedRecording } from "../contract/link.ts";
import type { SessionUser } from "../contract/organization.ts";
import { isTapedeckError } from "../core/errors.ts";
import { openShareLink, readShared } from "../recordings/share-links.ts";
import { appContext, contextFor } from "./app-context.ts";
import { openApiDocument } from "./openapi.ts";

/**
 * Who is signed in, or null. Asked once per request, however many layouts and pages ask. A user who belongs to
 * no organization (any more) counts as nobody.
 */
export const pageSession = cache(async (): Promise<SessionUser | null> => {
	const cookie = (await headers()).get("cookie");
	if (cookie === null) return null;
	const app = appContext();
	try {
		const actor = await authenticate(app, new Headers({ cookie }));
		return actor?.kind === "user" ? await sessionUser(app, actor) : null;
	} catch (error) {
		if (isTapedeckError(error) && (error.code === "forbidden" || error.code === "not_found")) return null;
		throw error;
	}
});

/** The account that is signed in, whatever it belongs to; null when nobody is. */
export async function pageAccount(): Promise<{ name: string; email: string } | null> {
	const cookie = (await headers()).get("cookie");
	const session = cookie === null ? null : await appContext().auth.session(new Headers({ cookie }));
	return session === null ? null : { name: session.name, email: session.email };
}

/** The name of the provider of single sign-on; null when none is configured. */
export async function ssoProvider(): Promise<string | null> {
	await headers();
	return appContext().auth.singleSignOn?.name ?? null;
}

/** Whether the first account is still to be made. */
export async function setupNeeded(): Promise<boolean> {
	// Also told to Next that the answer belongs to this request: the page must never be made at build time.
	await headers();
	return (await setupState(appContext(), { local: false })).needed;
}

/** What the shared page of this token shows; null when the link leads nowhere (any more). Asked once per request. */
export const sharedRecording = cache(async (token: string): Promise<SharedRecording | null> => {
	await headers();
	const app = appContext();
	try {
		const { expiresAt, ...link } = await openShareLink(app, token);
		return await readShared(contextFor(app, { kind: "link", ...link }), token, expiresAt);
	} catch (error) {
		if (isTapedeckError(error) && (error.code === "not_found" || error.code === "gone")) return null;
		throw error;
	}
});

/** The API's contract document, for the page that shows it. */
export async function apiDocument(): Promise<ReturnType<typeof openApiDocument>> {
	await headers();
	const app = appContext();
	return openApiDocument(app.routes, app.baseUrl);
}
