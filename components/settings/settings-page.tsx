"use client";

import { PageHead } from "#components/ui/page-head.tsx";
import type { SessionUser } from "#lib/contract/organization.ts";
import { AccountSection } from "./account-section.tsx";
import { CredentialsSection } from "./credentials-section.tsx";
import { RetentionSection } from "./retention-section.tsx";

/** What an organization sets. */
export function SettingsPage({ user }: { user: SessionUser }) {
	return (
		<div className="min-h-0 flex-1 overflow-y-auto">
			<div className="border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Settings" />
			</div>
			<div className="mx-auto flex max-w-3xl flex-col gap-10 p-4 pb-16 md:p-6">
				<CredentialsSection
					kind="api-keys"
					title="API keys"
					intro={
						<>
							Scripts send one as <code className="text-xs">Authorization: Bearer …</code>. What they can call stands in
							the{" "}
							<a href="/docs" className="text-accent underline underline-offset-2">
								API’s documentation
							</a>
							.
						</>
					}
					noun="API key"
				/>
				<CredentialsSection
					kind="runner-tokens"
					title="Runner tokens"
					intro="Runners sign in with one. Revoking it turns its runners away."
					noun="runner token"
				/>
				<RetentionSection />
				<AccountSection user={user} />
			</div>
		</div>
	);
}
