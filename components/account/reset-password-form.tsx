"use client";

import { useState } from "react";
import { buttonClass } from "#components/ui/button.tsx";
import { FormError, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import { resetPassword } from "./sign-in.ts";
import { SignInFrame } from "./sign-in-frame.tsx";
import { useLinkToken } from "./use-link-token.ts";

const TITLE = "Choose a new password";

/** The page behind a password link that an admin created. */
export function ResetPasswordForm() {
	const token = useLinkToken();
	const [done, setDone] = useState(false);
	const form = useServerForm({ password: "" }, async ({ password }) => {
		await resetPassword(token ?? "", password);
		setDone(true);
	});
	if (done || token === "") {
		return (
			<SignInFrame
				title={TITLE}
				intro={
					done ? "Your new password is set." : "This link is incomplete. Copy the whole link, or ask for a new one."
				}
			>
				<a href="/login" className={buttonClass(done ? "primary" : "secondary")}>
					Go to sign-in
				</a>
			</SignInFrame>
		);
	}
	return (
		<SignInFrame title={TITLE} intro="This signs out every browser that is signed in to your account.">
			<form {...form.props} className="flex flex-col gap-4">
				<FormError message={form.error} />
				<NewPasswordField form={form} name="password" label="New password" />
				<SubmitButton form={form} variant="primary">
					{form.busy ? "Setting password…" : "Set password"}
				</SubmitButton>
			</form>
		</SignInFrame>
	);
}
