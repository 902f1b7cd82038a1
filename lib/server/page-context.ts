/** The only server file that pages may import: the signed-in user. For Next's pages and layouts only. */

import type { SessionUser } from "@tapedeck/contract/identity.ts";
import type { Job } from "@tapedeck/contract/job.ts";
import type { SharedRecording } from "@tapedeck/contract/link.ts";
import { headers } from "next/headers";
import { cache } from "react";
import { authenticate } from "#lib/auth/credentials/authenticate.ts";
import { sessionUser } from "#lib/auth/sign-in/identity.ts";
import { setupState } from "#lib/auth/sign-in/setup.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { appContext, contextFor } from "#lib/http/app-context.ts";
import { followShareLink } from "#lib/http/link-access.ts";
import { readJob } from "#lib/jobs/read-job.ts";
import { readShared, sharedFailure } from "#lib/recordings/share-links.ts";
import { GUIDES, readGuide } from "./guides.ts";

/** The signed-in user as an actor; null when nobody is signed in or the user belongs to no organization. */
const pageActor = cache(async () => {
	const cookie = (await headers()).get("cookie");
	if (cookie === null) return null;
	try {
		const actor = await authenticate(appContext(), new Headers({ cookie }));
		return actor?.kind === "user" ? actor : null;
	} catch (error) {
		if (isTapedeckError(error) && (error.code === "forbidden" || error.code === "not_found")) return null;
		throw error;
	}
});

/**
 * The signed-in user, or null. Read once per request, however many layouts and pages ask. A user without an
 * organization counts as not signed in.
 */
export const pageSession = cache(async (): Promise<SessionUser | null> => {
	const actor = await pageActor();
	if (actor === null) return null;
	try {
		return await sessionUser(appContext(), actor);
	} catch (error) {
		if (isTapedeckError(error) && (error.code === "forbidden" || error.code === "not_found")) return null;
		throw error;
	}
});

/** A job of the signed-in user's organization, for server rendering; null when there is no job with this id. */
export async function pageJob(jobId: number): Promise<Job | null> {
	const actor = await pageActor();
	if (actor === null) return null;
	try {
		return await readJob(contextFor(appContext(), actor), jobId);
	} catch (error) {
		if (isTapedeckError(error) && error.code === "not_found") return null;
		throw error;
	}
}

/** Whether the browser still sends the cookie of a session, although it has ended. */
export async function hadSession(): Promise<boolean> {
	return appContext().auth.sessionCookie(new Headers({ cookie: (await headers()).get("cookie") ?? "" })) !== null;
}

/** The signed-in account, with or without an organization; null when nobody is signed in. */
export async function pageAccount(): Promise<{ name: string; email: string } | null> {
	const cookie = (await headers()).get("cookie");
	const session = cookie === null ? null : await appContext().auth.session(new Headers({ cookie }));
	return session === null ? null : { name: session.name, email: session.email };
}

/** The display name of the single sign-on provider; null when none is configured. */
export async function ssoProvider(): Promise<string | null> {
	await headers();
	return appContext().auth.singleSignOn?.name ?? null;
}

/** Whether browsers can use passkeys at the dashboard's address. */
export async function takesPasskeys(): Promise<boolean> {
	await headers();
	return appContext().auth.takesPasskeys;
}

/** Whether the dashboard sends email. */
export async function sendsEmail(): Promise<boolean> {
	await headers();
	return appContext().mailer !== null;
}

/** Whether the first account has yet to be created. */
export async function setupNeeded(): Promise<boolean> {
	// Also makes Next render the page per request, never at build time.
	await headers();
	return (await setupState(appContext(), { local: false })).needed;
}

/** The dashboard's address, as others reach it. */
export const pageBaseUrl = (): string => appContext().baseUrl;

/**
 * The recording behind a share link, with the message of its failure; null when the link is invalid, expired or
 * revoked. Read once per request.
 */
export const sharedRecording = cache(
	async (token: string): Promise<{ recording: SharedRecording; failure: string | null } | null> => {
		await headers();
		try {
			const { ctx, ...link } = await followShareLink(appContext(), token, "page");
			const recording = await readShared(ctx, token, link);
			return { recording, failure: await sharedFailure(ctx, link, recording) };
		} catch (error) {
			if (isTapedeckError(error) && (error.code === "not_found" || error.code === "gone")) return null;
			throw error;
		}
	},
);

/** @returns a guide as HTML, and all of them for the menu; null if there is none of this name. */
export async function pageGuide(name: string) {
	const found = await readGuide(appContext().rootDir, name);
	return found === null ? null : { ...found, guides: GUIDES };
}

/** @returns the name of the first guide. */
export const firstGuide = (): string => GUIDES[0].name;
