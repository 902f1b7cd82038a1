import type { Metadata } from "next";
import { SchedulesPage } from "#components/schedules/schedules-page.tsx";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Schedules" };

export default async function Page() {
	await requireSession("/settings/schedules");
	return <SchedulesPage />;
}
