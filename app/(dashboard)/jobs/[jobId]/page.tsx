import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { JobsPage } from "#components/jobs/list/jobs-page.tsx";
import { pageJob } from "#lib/server/page-context.ts";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Jobs" };

/** The list with one job's drawer open. The job is rendered with the page, so that the drawer does not wait for it. */
export default async function Page({
	params,
	searchParams,
}: {
	params: Promise<{ jobId: string }>;
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	const { jobId } = await params;
	if (!/^[1-9]\d{0,15}$/.test(jobId)) notFound();
	await requireSession(`/jobs/${jobId}`, await searchParams);
	return <JobsPage initialJob={await pageJob(Number(jobId))} />;
}
