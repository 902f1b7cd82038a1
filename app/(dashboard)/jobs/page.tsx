import type { Metadata } from "next";
import { JobsPage } from "#components/jobs/list/jobs-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Jobs" };

export default async function Page({
	searchParams,
}: {
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	await requireSession("/jobs", await searchParams);
	return <JobsPage />;
}
