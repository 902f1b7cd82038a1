"use client";

import { useCan } from "#components/session/use-session.ts";
import { ApiKeysSection } from "./api-keys-section.tsx";
import { RetentionSection } from "./retention-section.tsx";
import { RunnerTokensSection } from "./runner-tokens-section.tsx";

/** What an organization sets, but for who belongs to it. */
export function SettingsPage() {
	const mayAdminister = useCan("administer");
	return (
		<>
			{mayAdminister ? (
				<>
					<ApiKeysSection />
					<RunnerTokensSection />
				</>
			) : null}
			<RetentionSection />
		</>
	);
}
