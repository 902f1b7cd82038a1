"use client";

import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { useResetPasswordLink } from "#lib/client/members.ts";
import type { Member } from "#lib/contract/member.ts";
import { settingsTexts, memberTexts as texts } from "#lib/texts/settings.ts";

/** Makes the link for who forgot a password, and shows it once. */
export function PasswordResetButton({ member: { userId, name } }: { member: Member }) {
	const make = useResetPasswordLink();
	const start = () => {
		if (make.isPending) return;
		make.mutate(userId, { onError: (error) => toast.error(settingsTexts.failed(wordsOf(error))) });
	};
	return (
		<>
			<Button size="small" aria-label={texts.resetOne(name)} aria-disabled={make.isPending} onClick={start}>
				{texts.reset}
			</Button>
			<DialogRoot open={make.data !== undefined} onOpenChange={(open) => (open ? undefined : make.reset())}>
				<DialogContent narrow>
					<DialogHead title={texts.resetOne(name)} description={texts.resetLinkFor(name)} />
					<div className="p-5">
						<CodeBlock text={make.data?.url ?? ""} label={texts.copyLink} />
					</div>
				</DialogContent>
			</DialogRoot>
		</>
	);
}
