"use client";

import { useMayAdminister } from "#components/session/use-session.ts";
import { PageHead } from "#components/ui/page-head.tsx";
import type { SessionUser } from "#lib/contract/organization.ts";
import { AccountSection } from "./account-section.tsx";
import { ApiKeysSection } from "./api-keys-section.tsx";
import { RetentionSection } from "./retention-section.tsx";
import { RunnerTokensSection } from "./runner-tokens-section.tsx";

/** What an organization sets. */
export function SettingsPage({ user }: { user: SessionUser }) {
	const mayAdminister = useMayAdminister();
	return (
		<div className="min-h-0 flex-1 overflow-y-auto">
			<div className="border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Settings" />
			</div>
			<div className="mx-auto flex max-w-3xl flex-col gap-10 p-4 pb-16 md:p-6">
				{mayAdminister ? (
					<>
						<ApiKeysSection />
						<RunnerTokensSection />
					</>
				) : null}
				<RetentionSection />
				<AccountSection user={user} />
			</div>
		</div>
	);
}
