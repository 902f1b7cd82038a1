"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { goToProvider } from "#lib/client/session.ts";
import { sessionTexts as texts } from "#lib/texts/session.ts";
import { FormFault } from "./form-fault.tsx";

/** The way in through the organization's own provider. */
export function SingleSignOnButton({ provider, next }: { provider: string; next: string }) {
	const [fault, setFault] = useState<string>();
	const [busy, setBusy] = useState(false);
	const go = async () => {
		setBusy(true);
		setFault(undefined);
		try {
			await goToProvider(next, `/login?next=${encodeURIComponent(next)}`);
		} catch (error) {
			setFault(wordsOf(error));
			setBusy(false);
		}
	};
	return (
		<div className="mt-4 flex flex-col gap-4">
			<p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
				{texts.or}
			</p>
			<FormFault text={fault} />
			<Button disabled={busy} onClick={() => void go()}>
				{texts.continueWith(provider)}
			</Button>
		</div>
	);
}
