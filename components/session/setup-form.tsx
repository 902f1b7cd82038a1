"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ApiError, wordsOf } from "#lib/client/api.ts";
import { setUp, signIn } from "#lib/client/session.ts";
import { FrontDoor } from "./front-door.tsx";

const FIELDS = ["organizationName", "name", "email", "password", "code"] as const;
type Faults = Partial<Record<(typeof FIELDS)[number] | "form", string>>;

/** What the server refused, by field; what belongs to none stands above the form. */
function faultsOf(error: unknown): Faults {
	if (!(error instanceof ApiError)) return { form: wordsOf(error) };
	const faults: Faults = {};
	for (const fault of error.faults) {
		const field = FIELDS.find((one) => one === fault.path) ?? "form";
		faults[field] ??= fault.message;
	}
	return Object.keys(faults).length > 0 ? faults : { form: error.message };
}

export function SetupForm() {
	const [faults, setFaults] = useState<Faults>({});
	const [busy, setBusy] = useState(false);

	const submit = async (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (busy) return;
		const data = new FormData(event.currentTarget);
		const text = (name: string) => String(data.get(name) ?? "").trim();
		const password = String(data.get("password") ?? "");
		const code = text("code");
		setBusy(true);
		setFaults({});
		try {
			await setUp({
				organizationName: text("organizationName"),
				name: text("name"),
				email: text("email"),
				password,
				...(code === "" ? {} : { code }),
			});
			await signIn(text("email"), password);
			location.assign("/jobs");
		} catch (error) {
			setFaults(faultsOf(error));
			setBusy(false);
		}
	};

	return (
		<FrontDoor title="Set up Tapedeck" intro="Make the first account. It owns the organization.">
			<form onSubmit={submit} noValidate className="flex flex-col gap-4">
				{faults.form ? (
					<Notice tone="danger" alert>
						{faults.form}
					</Notice>
				) : null}
				<Field label="Organization" hint="Your team or company." error={faults.organizationName}>
					{(control) => <input {...control} name="organizationName" autoComplete="organization" />}
				</Field>
				<Field label="Your name" error={faults.name}>
					{(control) => <input {...control} name="name" autoComplete="name" />}
				</Field>
				<Field label="E-mail" error={faults.email}>
					{(control) => <input {...control} name="email" type="email" autoComplete="username" />}
				</Field>
				<Field label="Password" hint="At least 10 characters." error={faults.password}>
					{(control) => <input {...control} name="password" type="password" autoComplete="new-password" />}
				</Field>
				<Field
					label="One-time code"
					hint="Only from another machine than the server: it stands in the server's log."
					error={faults.code}
				>
					{(control) => <input {...control} name="code" autoComplete="one-time-code" spellCheck={false} />}
				</Field>
				<Button type="submit" look="primary" disabled={busy}>
					{busy ? "Setting up…" : "Set up"}
				</Button>
			</form>
		</FrontDoor>
	);
}
