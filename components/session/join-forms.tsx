"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { acceptInvitation } from "#lib/client/members.ts";
import { signIn, signOut, signUp } from "#lib/client/session.ts";
import { sessionTexts as texts } from "#lib/texts/session.ts";
import { FormFault } from "./form-fault.tsx";
import { SignInFields } from "./sign-in-form.tsx";
import { SingleSignOnButton } from "./single-sign-on-button.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

export interface SignedIn {
	name: string;
	email: string;
}

interface Props {
	token: string;
	/** The only e-mail that may use the link; null for any. */
	email: string | null;
	onJoined(): void;
}

/** The ways in: with the account that is signed in, with another that one has, with a new one. */
export function JoinForms({
	signedIn,
	provider,
	...props
}: Props & { signedIn: SignedIn | null; provider: string | null }) {
	const [hasAccount, setHasAccount] = useState(false);
	if (signedIn !== null) return <JoinAs signedIn={signedIn} {...props} />;
	return (
		<>
			{hasAccount ? <SignInAndJoin {...props} /> : <CreateAccount {...props} />}
			<Button look="quiet" className="mt-3 w-full" onClick={() => setHasAccount(!hasAccount)}>
				{hasAccount ? texts.newAccount : texts.haveAccount}
			</Button>
			{provider === null ? null : <SingleSignOnButton provider={provider} next="/invite" />}
		</>
	);
}

function JoinAs({ signedIn, token, onJoined }: Props & { signedIn: SignedIn }) {
	const { faults, busy, props } = useFormSubmit([], async () => {
		await acceptInvitation(token);
		onJoined();
	});
	const leave = async () => {
		await signOut();
		location.reload();
	};
	return (
		<form {...props} className="flex flex-col gap-4">
			<FormFault text={faults.form} />
			<p className="text-sm">{texts.joinAs(signedIn.name, signedIn.email)}</p>
			<Button type="submit" look="primary" disabled={busy}>
				{busy ? texts.joining : texts.join}
			</Button>
			<Button look="quiet" onClick={() => void leave()}>
				{texts.otherAccount}
			</Button>
		</form>
	);
}

function SignInAndJoin({ token, email, onJoined }: Props) {
	const { faults, busy, props } = useFormSubmit(["email", "password"], async (text) => {
		await signIn(text("email"), text("password"));
		await acceptInvitation(token);
		onJoined();
	});
	return (
		<form {...props} className="flex flex-col gap-4">
			<FormFault text={faults.form ?? faults.email} />
			<SignInFields email={email ?? undefined} />
			<Button type="submit" look="primary" disabled={busy}>
				{busy ? texts.joining : texts.signInAndJoin}
			</Button>
		</form>
	);
}

function CreateAccount({ token, email, onJoined }: Props) {
	const { faults, busy, props } = useFormSubmit(["name", "email", "password"], async (text) => {
		await signUp({ token, name: text("name"), email: text("email"), password: text("password") });
		onJoined();
	});
	return (
		<form {...props} className="flex flex-col gap-4">
			<FormFault text={faults.form} />
			<Field label={texts.yourName} error={faults.name}>
				{(control) => <input {...control} name="name" autoComplete="name" />}
			</Field>
			<Field label={texts.email} error={faults.email}>
				{(control) => (
					<input
						{...control}
						name="email"
						type="email"
						autoComplete="username"
						defaultValue={email ?? undefined}
						readOnly={email !== null}
					/>
				)}
			</Field>
			<Field label={texts.password} hint={texts.passwordHint} error={faults.password}>
				{(control) => <input {...control} name="password" type="password" autoComplete="new-password" />}
			</Field>
			<Button type="submit" look="primary" disabled={busy}>
				{busy ? texts.creatingAccount : texts.createAccount}
			</Button>
		</form>
	);
}
