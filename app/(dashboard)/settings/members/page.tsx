import type { Metadata } from "next";
import { MembersPage } from "#components/settings/members-page.tsx";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Members" };

export default async function Page() {
	await requireSession("/settings/members");
	return <MembersPage />;
}
