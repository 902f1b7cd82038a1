"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { signIn } from "#lib/client/session.ts";
import { FrontDoor } from "./front-door.tsx";

export function SignInForm({ next }: { next: string }) {
	const [error, setError] = useState<string>();
	const [busy, setBusy] = useState(false);

	const submit = async (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (busy) return;
		const data = new FormData(event.currentTarget);
		setBusy(true);
		setError(undefined);
		try {
			await signIn(String(data.get("email")).trim(), String(data.get("password")));
			location.assign(next);
		} catch (cause) {
			setError(wordsOf(cause));
			setBusy(false);
		}
	};

	return (
		<FrontDoor title="Sign in" intro="With the e-mail address and password of your account.">
			<form onSubmit={submit} className="flex flex-col gap-4">
				{error ? (
					<Notice tone="danger" alert>
						{error}
					</Notice>
				) : null}
				<Field label="E-mail">
					{(control) => <input {...control} name="email" type="email" autoComplete="username" required />}
				</Field>
				<Field label="Password">
					{(control) => <input {...control} name="password" type="password" autoComplete="current-password" required />}
				</Field>
				<Button type="submit" look="primary" disabled={busy}>
					{busy ? "Signing in…" : "Sign in"}
				</Button>
			</form>
		</FrontDoor>
	);
}
