"use client";

import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { signIn } from "#lib/client/session.ts";
import { signInRefusal, sessionTexts as texts } from "#lib/texts/session.ts";
import { FormFault } from "./form-fault.tsx";
import { FrontDoor } from "./sign-in-frame.tsx";
import { SingleSignOnButton } from "./single-sign-on-button.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

interface Props {
	/** Where to go when one is in. */
	next: string;
	/** The name of the provider of single sign-on; null without. */
	provider: string | null;
	/** Why single sign-on was refused. */
	refusal: string | null;
}

export function SignInForm({ next, provider, refusal }: Props) {
	const { faults, busy, props } = useFormSubmit(["email", "password"], async (text) => {
		await signIn(text("email"), text("password"));
		location.assign(next);
	});
	const refused = refusal === null ? undefined : signInRefusal(refusal, provider);
	return (
		<FrontDoor title={texts.signIn} intro={texts.signInIntro}>
			<form {...props} className="flex flex-col gap-4">
				<FormFault text={faults.form ?? refused} />
				<SignInFields />
				<Button type="submit" look="primary" disabled={busy}>
					{busy ? texts.signingIn : texts.signIn}
				</Button>
			</form>
			{provider === null ? null : <SingleSignOnButton provider={provider} next={next} />}
		</FrontDoor>
	);
}

export function SignInFields({ email }: { email?: string }) {
	return (
		<>
			<Field label={texts.email}>
				{(control) => (
					<input {...control} name="email" type="email" autoComplete="username" defaultValue={email} required />
				)}
			</Field>
			<Field label={texts.password}>
				{(control) => <input {...control} name="password" type="password" autoComplete="current-password" required />}
			</Field>
		</>
	);
}
