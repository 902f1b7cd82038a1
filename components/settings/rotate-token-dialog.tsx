"use client";

import type { RotatedToken, RunnerToken } from "@tapedeck/contract/credential.ts";
import { useState } from "react";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { FormError, SelectField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { useRotateRunnerToken } from "#lib/client/credentials.ts";
import { formatExact, quoted } from "#lib/client/format.ts";
import { NewSecret } from "./credential-list.tsx";

/** Replaces a token: first for how long the old one still works, then the new secret. Closed while `token` is null. */
export function RotateTokenDialog({ token, onClose }: { token: RunnerToken | null; onClose(): void }) {
	return (
		<DialogRoot open={token !== null} onOpenChange={(open) => open || onClose()}>
			<DialogContent>
				<DialogHead
					title={`Rotate ${quoted(token?.name ?? "")}`}
					description="Creates a new token. The old one keeps working for a while, so that you can update runners one by one."
				/>
				{token === null ? null : <RotateTokenSteps token={token} onDone={onClose} />}
			</DialogContent>
		</DialogRoot>
	);
}

function RotateTokenSteps({ token, onDone }: { token: RunnerToken; onDone(): void }) {
	const [rotated, setRotated] = useState<RotatedToken | null>(null);
	if (rotated === null) return <RotateTokenForm token={token} onRotated={setRotated} />;
	const { replaces } = rotated;
	return (
		<NewSecret created={rotated} label="Copy the runner token" onDone={onDone}>
			<p className="text-sm text-muted">
				The old token works until <time dateTime={replaces.expiresAt}>{formatExact(replaces.expiresAt)}</time>.
			</p>
		</NewSecret>
	);
}

/** Grace periods of the old token, in seconds. */
const GRACE_PERIODS = { 0: "No time", 3600: "1 hour", 86400: "24 hours", 604800: "7 days", 2592000: "30 days" };
const SUGGESTED = "86400";

function RotateTokenForm({ token, onRotated }: { token: RunnerToken; onRotated(token: RotatedToken): void }) {
	const rotate = useRotateRunnerToken();
	const form = useServerForm({ graceSeconds: SUGGESTED }, async ({ graceSeconds }) =>
		onRotated(await rotate.mutateAsync({ id: token.id, graceSeconds: Number(graceSeconds) })),
	);
	return (
		<form {...form.props} className="flex flex-col gap-4 p-5">
			<FormError message={form.error} />
			<SelectField form={form} name="graceSeconds" label="Old token keeps working for">
				{Object.entries(GRACE_PERIODS).map(([seconds, period]) => (
					<option key={seconds} value={seconds}>
						{period}
					</option>
				))}
			</SelectField>
			<div className="flex justify-end">
				<SubmitButton form={form} variant="primary">
					Create new token
				</SubmitButton>
			</div>
		</form>
	);
}
