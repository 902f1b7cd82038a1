"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { requestPasswordReset } from "./sign-in.ts";

/** Requests a password link by email. The answer does not tell whether there is such an account. */
export function ForgotPasswordForm({ back }: { back(): void }) {
	const [sentTo, setSentTo] = useState<string | null>(null);
	const form = useServerForm({ email: "" }, async ({ email }) => {
		await requestPasswordReset(email);
		setSentTo(email);
	});
	return (
		<form {...form.props} className="flex flex-col gap-4">
			<FormError message={form.error} />
			{sentTo === null ? (
				<>
					<InputField form={form} name="email" label="Email" type="email" autoComplete="username" required autoFocus />
					<SubmitButton form={form} variant="primary">
						{form.busy ? "Sending…" : "Send a link"}
					</SubmitButton>
				</>
			) : (
				<p role="status" className="text-sm">
					{`If ${sentTo} has an account, a link to choose a new password is on its way.`}
				</p>
			)}
			<Button variant="ghost" onClick={back}>
				Back to sign-in
			</Button>
		</form>
	);
}
