import type { Metadata } from "next";
import { AuditPage } from "#components/settings/audit-page.tsx";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Audit log" };

export default async function Page() {
	await requireSession("/settings/audit");
	return <AuditPage />;
}
