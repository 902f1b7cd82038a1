"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { useRotateRunnerToken } from "#lib/client/credentials.ts";
import { formatExact } from "#lib/client/format.ts";
import { type Credential, DEFAULT_GRACE_SECONDS } from "#lib/contract/credential.ts";
import { credentialTexts as texts } from "#lib/texts/credentials.tsx";
import { NewSecret } from "./credential-list.tsx";

/** Replaces a token: for how long the old one works on, then the new secret. Closed while `token` is null. */
export function RotateTokenDialog({ token, onClose }: { token: Credential | null; onClose(): void }) {
	return (
		<DialogRoot open={token !== null} onOpenChange={(open) => open || onClose()}>
			<DialogContent>
				<DialogHead title={texts.rotateTitle(token?.name ?? "")} description={texts.rotateHint} />
				{token === null ? null : <RotateForm token={token} onDone={onClose} />}
			</DialogContent>
		</DialogRoot>
	);
}

function RotateForm({ token, onDone }: { token: Credential; onDone(): void }) {
	const rotate = useRotateRunnerToken();
	const [graceSeconds, setGraceSeconds] = useState(DEFAULT_GRACE_SECONDS);
	if (rotate.data) {
		const { name, secret, replaces } = rotate.data;
		return (
			<div className="flex flex-col gap-4 p-5">
				<NewSecret name={name} secret={secret} label={texts.copyToken} />
				<p className="text-sm text-muted">
					{texts.oldEnds(<time dateTime={replaces.expiresAt}>{formatExact(replaces.expiresAt)}</time>)}
				</p>
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
		if (!rotate.isPending) rotate.mutate({ id: token.id, graceSeconds });
	};
	return (
		<form onSubmit={submit} className="flex flex-col gap-4 p-5">
			{rotate.error ? (
				<Notice tone="danger" alert>
					{wordsOf(rotate.error)}
				</Notice>
			) : null}
			<Field label={texts.grace}>
				{(control) => (
					<select {...control} value={graceSeconds} onChange={(event) => setGraceSeconds(Number(event.target.value))}>
						{Object.entries(texts.graces).map(([seconds, words]) => (
							<option key={seconds} value={seconds}>
								{words}
							</option>
						))}
					</select>
				)}
			</Field>
			<div className="flex justify-end">
				<Button type="submit" look="primary" aria-disabled={rotate.isPending}>
					{texts.rotateNow}
				</Button>
			</div>
		</form>
	);
}
