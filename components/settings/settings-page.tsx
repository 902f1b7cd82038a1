"use client";

import { useCan } from "#components/session/use-session.ts";
import { ApiKeysSection } from "./api-keys-section.tsx";
import { RecordingSettingsSection } from "./recording-settings-section.tsx";
import { RetentionSection } from "./retention-section.tsx";
import { RunnerTokensSection } from "./runner-tokens-section.tsx";

/** The organization's settings, except for its members. */
export function SettingsPage() {
	const mayAdminister = useCan("organization:manage");
	return (
		<>
			{mayAdminister ? (
				<>
					<ApiKeysSection />
					<RunnerTokensSection />
				</>
			) : null}
			<RecordingSettingsSection />
			<RetentionSection />
		</>
	);
}
