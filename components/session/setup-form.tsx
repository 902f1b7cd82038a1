"use client";

import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { setUp, signIn } from "#lib/client/session.ts";
import { sessionTexts as texts } from "#lib/texts/session.ts";
import { FormFault } from "./form-fault.tsx";
import { FrontDoor } from "./sign-in-frame.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

const FIELDS = ["organizationName", "name", "email", "password", "code"] as const;

/** The very first visit: the first account with its organization. */
export function SetupForm() {
	const { faults, busy, props } = useFormSubmit(FIELDS, async (text) => {
		const code = text("code");
		const [email, password] = [text("email"), text("password")];
		const names = { organizationName: text("organizationName"), name: text("name") };
		await setUp({ ...names, email, password, ...(code === "" ? {} : { code }) });
		await signIn(email, password);
		location.assign("/jobs");
	});
	return (
		<FrontDoor title={texts.setUpTitle} intro={texts.setUpIntro}>
			<form {...props} className="flex flex-col gap-4">
				<FormFault text={faults.form} />
				<Field label={texts.organization} hint={texts.organizationHint} error={faults.organizationName}>
					{(control) => <input {...control} name="organizationName" autoComplete="organization" />}
				</Field>
				<Field label={texts.yourName} error={faults.name}>
					{(control) => <input {...control} name="name" autoComplete="name" />}
				</Field>
				<Field label={texts.email} error={faults.email}>
					{(control) => <input {...control} name="email" type="email" autoComplete="username" />}
				</Field>
				<Field label={texts.password} hint={texts.passwordHint} error={faults.password}>
					{(control) => <input {...control} name="password" type="password" autoComplete="new-password" />}
				</Field>
				<Field label={texts.code} hint={texts.codeHint} error={faults.code}>
					{(control) => <input {...control} name="code" autoComplete="one-time-code" spellCheck={false} />}
				</Field>
				<Button type="submit" look="primary" disabled={busy}>
					{busy ? texts.settingUp : texts.setUp}
				</Button>
			</form>
		</FrontDoor>
	);
}
