import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { JobsPage } from "#components/jobs/list/jobs-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Jobs" };

export default async function Page({ searchParams }: PageProps) {
	await requireSession("/jobs", await searchParams);
	return <JobsPage />;
}
