"use client";

import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot, DialogTrigger } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ApiError, wordsOf } from "#lib/client/api.ts";
import { useCreateApiKey } from "#lib/client/credentials.ts";
import { EXPIRIES, type ExpiryChoice, expiresAtOf } from "#lib/client/key-expiry.ts";
import { SCOPES, type Scope } from "#lib/contract/organization.ts";
import { credentialTexts as texts } from "#lib/texts/credentials.tsx";
import { NewSecret } from "./credential-list.tsx";
import { ScopeFields } from "./scope-fields.tsx";

/** The button `Create API key`: name, scopes and expiry, then the secret. */
export function CreateApiKeyDialog() {
	const [open, setOpen] = useState(false);
	return (
		<DialogRoot open={open} onOpenChange={setOpen}>
			<DialogTrigger asChild>
				<Button>
					<Plus aria-hidden className="size-4" />
					{texts.createApiKey}
				</Button>
			</DialogTrigger>
			<DialogContent>
				<DialogHead title={texts.createApiKey} description={texts.createApiKeyHint} />
				{open ? <CreateApiKeyForm onDone={() => setOpen(false)} /> : null}
			</DialogContent>
		</DialogRoot>
	);
}

function CreateApiKeyForm({ onDone }: { onDone(): void }) {
	const create = useCreateApiKey();
	const [name, setName] = useState("");
	const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES);
	const [expiry, setExpiry] = useState<ExpiryChoice>("90");
	const [day, setDay] = useState("");
	const [fault, setFault] = useState<{ path: string; message: string }>();
	const told = create.error instanceof ApiError ? create.error.faults : [];
	const faultAt = (path: string) => [fault, ...told].find((one) => one?.path.split(".")[0] === path)?.message;

	if (create.data) {
		return (
			<div className="flex flex-col gap-4 p-5">
				<NewSecret name={create.data.name} secret={create.data.secret} label={texts.copyKey} />
				<div className="flex justify-end">
					<Button look="primary" onClick={onDone}>
						{texts.done}
					</Button>
				</div>
			</div>
		);
	}
	const submit = (event: FormEvent) => {
		event.preventDefault();
		const expiresAt = expiresAtOf(expiry, day, Date.now());
		if (scopes.length === 0) setFault({ path: "scopes", message: texts.noScope });
		else if (expiresAt === undefined) setFault({ path: "expiresAt", message: texts.noDay });
		else {
			setFault(undefined);
			if (!create.isPending) create.mutate({ name: name.trim(), scopes: [...scopes], expiresAt });
		}
	};
	return (
		<form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
			<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
				{create.error && told.length === 0 ? (
					<Notice tone="danger" alert>
						{wordsOf(create.error)}
					</Notice>
				) : null}
				<Field label={texts.name} error={faultAt("name")}>
					{(control) => (
						<input
							{...control}
							value={name}
							maxLength={100}
							autoComplete="off"
							placeholder={texts.namePlaceholder}
							onChange={(event) => setName(event.target.value)}
						/>
					)}
				</Field>
				<ScopeFields chosen={scopes} onChange={setScopes} error={faultAt("scopes")} />
				<div className="grid gap-4 sm:grid-cols-2">
					<Field label={texts.expires} error={expiry === "date" ? undefined : faultAt("expiresAt")}>
						{(control) => (
							<select {...control} value={expiry} onChange={(event) => setExpiry(event.target.value as ExpiryChoice)}>
								{EXPIRIES.map((choice) => (
									<option key={choice} value={choice}>
										{texts.expiries[choice]}
									</option>
								))}
							</select>
						)}
					</Field>
					{expiry === "date" ? (
						<Field label={texts.lastDay} error={faultAt("expiresAt")}>
							{(control) => (
								<input {...control} type="date" value={day} onChange={(event) => setDay(event.target.value)} />
							)}
						</Field>
					) : null}
				</div>
			</div>
			<div className="flex justify-end border-t border-line px-5 py-3">
				<Button type="submit" look="primary" aria-disabled={create.isPending}>
					{texts.createKey}
				</Button>
			</div>
		</form>
	);
}
