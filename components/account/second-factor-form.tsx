"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { SignInOver, sendCode } from "./sign-in.ts";

interface Props {
	/** Called once signed in. */
	signedIn(): Promise<void>;
	/** The password has to be entered again. */
	startAgain(why: string): void;
}

/** The second step of signing in: a code of the authenticator app, or a backup code. */
export function SecondFactorForm({ signedIn, startAgain }: Props) {
	const [kind, setKind] = useState<"totp" | "backup-code">("totp");
	const form = useServerForm({ code: "", trust: false }, async ({ code, trust }) => {
		try {
			await sendCode(kind, code, trust);
		} catch (error) {
			if (error instanceof SignInOver) return startAgain(error.message);
			throw error;
		}
		await signedIn();
	});
	const isApp = kind === "totp";
	return (
		<form {...form.props} className="flex flex-col gap-4">
			<FormError message={form.error} />
			<InputField
				key={kind}
				form={form}
				name="code"
				label={isApp ? "Code from your authenticator app" : "Backup code"}
				inputMode={isApp ? "numeric" : "text"}
				autoComplete="one-time-code"
				spellCheck={false}
				required
				autoFocus
				rules={{ required: isApp ? "Enter the 6 digits that the app shows." : "Enter one of your backup codes." }}
			/>
			<label className="flex min-h-8 items-center gap-2 text-sm">
				<input type="checkbox" className="size-4 accent-accent" {...form.register("trust")} />
				Don't ask this browser for 30 days
			</label>
			<SubmitButton form={form} variant="primary">
				{form.busy ? "Signing in…" : "Sign in"}
			</SubmitButton>
			<Button
				variant="ghost"
				onClick={() => {
					form.reset();
					setKind(isApp ? "backup-code" : "totp");
				}}
			>
				{isApp ? "Use a backup code" : "Use the authenticator app"}
			</Button>
		</form>
	);
}
