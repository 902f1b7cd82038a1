"use client";

import { useEffect, useState } from "react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { resetPassword } from "#lib/client/session.ts";
import { sessionTexts as texts } from "#lib/texts/session.ts";
import { FormFault } from "./form-fault.tsx";
import { FrontDoor } from "./sign-in-frame.tsx";
import { useFormSubmit } from "./use-form-submit.ts";
import { useLinkAnew } from "./use-link-anew.ts";

/** What an admin's link shows to who forgot a password. */
export function ResetPasswordForm() {
	const [token, setToken] = useState<string | null>(null);
	const [done, setDone] = useState(false);
	useLinkAnew();
	useEffect(() => setToken(location.hash.slice(1)), []);
	const { faults, busy, props } = useFormSubmit(["password"], async (text) => {
		await resetPassword(token ?? "", text("password"));
		setDone(true);
	});
	if (done || token === "") {
		return (
			<FrontDoor title={texts.resetTitle} intro={done ? texts.resetDone : texts.noLink}>
				<a href="/login" className={buttonClass(done ? "primary" : "plain")}>
					{texts.toSignIn}
				</a>
			</FrontDoor>
		);
	}
	return (
		<FrontDoor title={texts.resetTitle} intro={texts.resetIntro}>
			<form {...props} className="flex flex-col gap-4">
				<FormFault text={faults.form} />
				<Field label={texts.newPassword} hint={texts.passwordHint} error={faults.password}>
					{(control) => <input {...control} name="password" type="password" autoComplete="new-password" />}
				</Field>
				<Button type="submit" look="primary" disabled={busy}>
					{busy ? texts.resetting : texts.reset}
				</Button>
			</form>
		</FrontDoor>
	);
}
