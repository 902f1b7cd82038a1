"use client";

import { FormFault } from "#components/session/form-fault.tsx";
import { useFormSubmit } from "#components/session/use-form-submit.ts";
import { useSession } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useChangeName, useChangePassword } from "#lib/client/account.ts";
import { wordsOf } from "#lib/client/api.ts";
import { goToProvider } from "#lib/client/session.ts";
import { signInRefusal } from "#lib/texts/session.ts";
import { settingsTexts, accountTexts as texts } from "#lib/texts/settings.ts";
import { NameForm } from "./name-form.tsx";
import { Section } from "./section.tsx";

const HERE = "/settings/account";

/** Name, e-mail, and the ways to sign in. `refusal`: why the provider was not connected. */
export function ProfileSection({ provider, refusal }: { provider: string | null; refusal: string | null }) {
	const { name, email, signInMethods } = useSession();
	const changeName = useChangeName();
	return (
		<>
			<Section title={texts.profile} intro={email}>
				<NameForm
					label={texts.name}
					hint={texts.nameHint}
					name={name}
					action={settingsTexts.save}
					save={async (to) => {
						await changeName.mutateAsync(to);
						toast.success(texts.nameSaved);
					}}
				/>
			</Section>
			{provider === null ? null : <SingleSignOn provider={provider} refusal={refusal} />}
			<Section title={texts.password}>
				{signInMethods.includes("password") ? (
					<PasswordForm />
				) : (
					<p className="text-sm text-muted">{texts.noPassword}</p>
				)}
			</Section>
		</>
	);
}

function SingleSignOn({ provider, refusal }: { provider: string; refusal: string | null }) {
	const connected = useSession().signInMethods.includes("singleSignOn");
	const connect = () => {
		goToProvider(HERE, HERE, "link-social").catch((error) => toast.error(settingsTexts.failed(wordsOf(error))));
	};
	return (
		<Section title={texts.signInWays}>
			<FormFault text={refusal === null ? undefined : signInRefusal(refusal, provider)} />
			{connected ? (
				<p className="text-sm">{texts.connected(provider)}</p>
			) : (
				<Button onClick={connect}>{texts.connect(provider)}</Button>
			)}
		</Section>
	);
}

function PasswordForm() {
	const change = useChangePassword();
	const fields = ["currentPassword", "newPassword", "endOtherSessions"] as const;
	const { faults, busy, again, props } = useFormSubmit(fields, async (text, form) => {
		await change.mutateAsync({
			currentPassword: text("currentPassword"),
			newPassword: text("newPassword"),
			endOtherSessions: text("endOtherSessions") === "on",
		});
		toast.success(texts.changed);
		form.reset();
		again();
	});
	return (
		<form {...props} className="flex max-w-md flex-col items-start gap-3">
			<FormFault text={faults.form} />
			<Field label={texts.currentPassword} error={faults.currentPassword} className="w-full">
				{(control) => <input {...control} name="currentPassword" type="password" autoComplete="current-password" />}
			</Field>
			<Field label={texts.newPassword} hint={texts.newPasswordHint} error={faults.newPassword} className="w-full">
				{(control) => <input {...control} name="newPassword" type="password" autoComplete="new-password" />}
			</Field>
			<label className="flex min-h-8 items-center gap-2 text-sm">
				<input type="checkbox" name="endOtherSessions" defaultChecked className="size-4 accent-accent" />
				{texts.endOthers}
			</label>
			<Button type="submit" aria-disabled={busy}>
				{texts.change}
			</Button>
		</form>
	);
}
