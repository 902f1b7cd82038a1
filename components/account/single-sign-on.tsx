"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { FormError } from "#components/ui/form.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { goToProvider } from "./sign-in.ts";

/** Signs in through the single sign-on provider and comes back to `next`. */
export function SingleSignOnButton({ provider, next }: { provider: string; next: string }) {
	const [error, setError] = useState<string>();
	const [busy, setBusy] = useState(false);
	const go = async () => {
		setBusy(true);
		setError(undefined);
		try {
			await goToProvider(next, `/login?next=${encodeURIComponent(next)}`);
		} catch (cause) {
			setError(errorMessage(cause));
			setBusy(false);
		}
	};
	return (
		<div className="mt-4 flex flex-col gap-4">
			<p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
				or
			</p>
			<FormError message={error} />
			<Button aria-disabled={busy} onClick={() => void (busy || go())}>
				Continue with {provider}
			</Button>
		</div>
	);
}

/** Why single sign-on failed, by the `error` that the browser was sent back with. */
export function singleSignOnError(code: string, provider: string | null): string {
	const name = provider ?? "single sign-on";
	switch (code) {
		case "email_not_verified":
			return `Your email is not verified with ${name}. Verify it there, then try again.`;
		case "domain_not_allowed":
			return "Accounts with your email domain can't sign in here. Use your work account, or ask an admin.";
		case "account_not_linked":
			return `There is already an account with your email. Sign in with its password, then connect ${name} under Settings, Your account.`;
		case "no_organization":
			return "There is no organization to sign in to yet. Ask the person who runs Tapedeck to set it up.";
		case "access_denied":
			return `${name} denied access. Try again, or ask the person who runs it.`;
		case "email_does_not_match":
			return `Your account with ${name} has a different email. Sign in there with the one you use here.`;
		case "state_mismatch":
		case "state_not_found":
			return `This sign-in began in another browser, took too long or is already done. Continue with ${name} again.`;
		case "unable_to_get_user_info":
		case "issuer_mismatch":
			return `The answer from ${name} could not be verified, so you are not signed in. Try again, or ask the person who runs Tapedeck to check the server log.`;
		case "invalid_code":
		case "no_code":
		case "oauth_provider_not_found":
			return `${name} did not confirm the sign-in. Try again, or ask the person who runs Tapedeck to check the server log.`;
		case "email_not_found":
			return `${name} did not send your email. Ask the person who runs it to share emails with Tapedeck.`;
		default:
			return `Signing in with ${name} failed (${code}). Try again. If it keeps failing, check the server log.`;
	}
}
