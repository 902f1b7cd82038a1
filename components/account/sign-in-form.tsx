"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { FormError, InputField, leaveFor, type ServerForm, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { ForgotPasswordForm } from "./forgot-password-form.tsx";
import { signInWithPasskey } from "./passkeys.ts";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { signOutAndLeave } from "./session-changes.ts";
import { type SessionEnd, signIn } from "./sign-in.ts";
import { SignInFrame } from "./sign-in-frame.tsx";
import { SingleSignOnButton, singleSignOnError } from "./single-sign-on.tsx";

interface Props {
	/** The page to open after signing in. */
	next: string;
	/** The name of the single sign-on provider; null without one. */
	provider: string | null;
	/** The code with which single sign-on failed. */
	ssoError: string | null;
	/** Why a user who was signed in is here; null for others. */
	ended: SessionEnd | null;
	/** Whether a password link can be sent by email. */
	sendsEmail: boolean;
	/** Whether passkeys can be used at the dashboard's address. */
	takesPasskeys: boolean;
}

const ENDED: Record<SessionEnd, string> = {
	expired: "Your session has expired. Sign in to continue where you left off.",
	"signed-out": "You signed out in another tab. Sign in to continue where you left off.",
};

export function SignInForm({ next, provider, ssoError, ended, sendsEmail, takesPasskeys }: Props) {
	const [forgot, setForgot] = useState(false);
	const [needsCode, setNeedsCode] = useState(false);
	const [failed, setFailed] = useState(ssoError === null ? undefined : singleSignOnError(ssoError, provider));
	const form = useServerForm({ email: "", password: "" }, async ({ email, password }) => {
		if (await signIn(email, password)) setNeedsCode(true);
		else await leaveFor(next);
	});
	if (needsCode) {
		const startAgain = (why: string) => {
			form.reset();
			setFailed(why);
			setNeedsCode(false);
		};
		return (
			<SignInFrame title="Second factor">
				<SecondFactorForm signedIn={() => leaveFor(next)} startAgain={startAgain} />
				{takesPasskeys ? <PasskeyButton signedIn={() => leaveFor(next)} /> : null}
			</SignInFrame>
		);
	}
	if (forgot) {
		return (
			<SignInFrame title="Choose a new password" intro="You get a link by email. It works once, within a day.">
				<ForgotPasswordForm back={() => setForgot(false)} />
			</SignInFrame>
		);
	}
	return (
		<SignInFrame title="Sign in" intro={ended === null ? undefined : ENDED[ended]}>
			<form {...form.props} className="flex flex-col gap-4">
				<FormError message={form.error ?? failed} />
				<SignInFields form={form} />
				<SubmitButton form={form} variant="primary">
					{form.busy ? "Signing in…" : "Sign in"}
				</SubmitButton>
			</form>
			{takesPasskeys ? <PasskeyButton signedIn={() => leaveFor(next)} /> : null}
			{sendsEmail ? (
				<Button variant="ghost" className="mt-3 w-full" onClick={() => setForgot(true)}>
					I forgot my password
				</Button>
			) : null}
			{provider === null ? null : <SingleSignOnButton provider={provider} next={next} />}
		</SignInFrame>
	);
}

/** Something before and after an at sign; whether it exists, the server knows. */
const EMAIL = /^\s*[^\s@]+@[^\s@]+\s*$/;

/** Email and password of an account that exists. */
export function SignInFields({ form }: { form: ServerForm<{ email: string; password: string }> }) {
	return (
		<>
			<InputField
				form={form}
				name="email"
				label="Email"
				type="email"
				autoComplete="username"
				required
				autoFocus
				rules={{
					required: "Enter your email.",
					pattern: { value: EMAIL, message: "Enter a full email, e.g. ada@example.com" },
				}}
			/>
			<InputField
				form={form}
				name="password"
				label="Password"
				type="password"
				autoComplete="current-password"
				required
				rules={{ required: "Enter your password." }}
			/>
		</>
	);
}

/** Instead of the sign-in form: signed in, but a member of no organization, or no longer. */
export function NoOrganization({ email }: { email: string }) {
	return (
		<SignInFrame
			title="No organization"
			intro={`You're signed in as ${email}, but you don't belong to an organization. Ask an owner or admin to invite you.`}
		>
			<Button onClick={() => void signOutAndLeave()}>Sign out</Button>
		</SignInFrame>
	);
}

/** Signs in with a passkey instead of email and password. */
function PasskeyButton({ signedIn }: { signedIn(): Promise<void> }) {
	const [error, setError] = useState<string>();
	const [busy, setBusy] = useState(false);
	const go = async () => {
		setBusy(true);
		setError(undefined);
		try {
			await signInWithPasskey();
			await signedIn();
		} catch (cause) {
			setError(errorMessage(cause));
			setBusy(false);
		}
	};
	return (
		<div className="mt-4 flex flex-col gap-4">
			<FormError message={error} />
			<Button aria-disabled={busy} onClick={() => void (busy || go())}>
				Use a passkey
			</Button>
		</div>
	);
}
