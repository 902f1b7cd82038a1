"use client";

import { useCan } from "#components/session/use-session.ts";
import { InvitationsSection } from "./invitations-section.tsx";
import { LeaveSection } from "./leave-section.tsx";
import { MembersSection } from "./members-section.tsx";
import { NewOrganizationSection, OrganizationSection } from "./organization-section.tsx";

/** Who belongs to the organization, and how one comes and goes. */
export function MembersPage() {
	const mayAdminister = useCan("administer");
	return (
		<>
			{mayAdminister ? <OrganizationSection /> : null}
			<MembersSection />
			{mayAdminister ? <InvitationsSection /> : null}
			<LeaveSection />
			{mayAdminister ? <NewOrganizationSection /> : null}
		</>
	);
}
