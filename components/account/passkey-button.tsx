"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { FormError } from "#components/ui/form.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { signInWithPasskey } from "./passkeys.ts";

/** Signs in with a passkey instead of email and password. */
export function PasskeyButton({ signedIn }: { signedIn(): Promise<void> }) {
	const [error, setError] = useState<string>();
	const [busy, setBusy] = useState(false);
	const go = async () => {
		setBusy(true);
		setError(undefined);
		try {
			await signInWithPasskey();
			await signedIn();
		} catch (cause) {
			setError(errorMessage(cause));
			setBusy(false);
		}
	};
	return (
		<div className="mt-4 flex flex-col gap-4">
			<FormError message={error} />
			<Button aria-disabled={busy} onClick={() => void (busy || go())}>
				Use a passkey
			</Button>
		</div>
	);
}
