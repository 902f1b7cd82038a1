"use client";

import { FormError, InputField, leaveFor, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import { setUp, signIn } from "./sign-in.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

const EMPTY = { organizationName: "", name: "", email: "", password: "", code: "" };

/** The first visit: creates the first account and its organization, and signs in. */
export function SetupForm() {
	const form = useServerForm(EMPTY, async ({ code, ...account }) => {
		await setUp({ ...account, ...(code === "" ? {} : { code }) });
		await signIn(account.email, account.password);
		await leaveFor("/");
	});
	return (
		<SignInFrame title="Set up Tapedeck" intro="Create the first account. It owns the organization.">
			<form {...form.props} className="flex flex-col gap-4">
				<FormError message={form.error} />
				<InputField
					form={form}
					name="organizationName"
					label="Organization"
					hint="Your team or company."
					autoComplete="organization"
				/>
				<InputField form={form} name="name" label="Your name" autoComplete="name" />
				<InputField form={form} name="email" label="Email" type="email" autoComplete="username" />
				<NewPasswordField form={form} name="password" label="Password" />
				<InputField
					form={form}
					name="code"
					label="One-time code"
					hint="Only needed from another machine. Find it in the server log."
					autoComplete="one-time-code"
					spellCheck={false}
				/>
				<SubmitButton form={form} variant="primary">
					{form.busy ? "Setting up…" : "Set up"}
				</SubmitButton>
			</form>
		</SignInFrame>
	);
}
