import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import type { PageProps } from "#app/page-props.ts";
import { JobsPage } from "#components/jobs/list/jobs-page.tsx";
import { pathAt, startSecondsOf } from "#components/recordings/player/player-link.ts";
import { resultIdOf } from "#components/tests/test-path.ts";
import { pageJob } from "#lib/server/page-context.ts";
import { requestedUrl, requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Jobs" };

/** The list with one job's drawer open. The job is rendered with the page, so that the drawer does not wait for it. */
export default async function Page({ params, searchParams }: PageProps<{ jobId: string }>) {
	const { jobId } = await params;
	const query = await searchParams;
	if (!/^[1-9]\d{0,15}$/.test(jobId)) notFound();
	await requireSession(`/jobs/${jobId}`, query);
	// Two dialogs that open with the page hide each other from screen readers: the form for a new job opens alone.
	if (query.new === "1") redirect(requestedUrl("/jobs", query));
	const job = await pageJob(Number(jobId));
	// A link to a moment or a result, made when only the job was known.
	const [seconds, resultId] = [startSecondsOf(query.t), resultIdOf(query.result)];
	if ((seconds > 0 || resultId !== null) && job?.recording != null) {
		redirect(pathAt(`/recordings/${job.recording.id}`, seconds, resultId));
	}
	return <JobsPage initialJob={job} />;
}
