"use client";

import { ProfileSection } from "./profile-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";

/** What is a person's own, whatever organization is shown. */
export function AccountPage({ provider, refusal }: { provider: string | null; refusal: string | null }) {
	return (
		<>
			<ProfileSection provider={provider} refusal={refusal} />
			<SessionsSection />
		</>
	);
}
