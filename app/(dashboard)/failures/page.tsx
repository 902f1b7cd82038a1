import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { filtersFromSearch } from "#components/failures/failure-filters.ts";
import { FailuresPage } from "#components/failures/failures-page.tsx";
import { requestedUrl, requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Failures" };

export default async function Page({ searchParams }: PageProps) {
	const search = await searchParams;
	await requireSession("/failures", search);
	const { searchParams: params } = new URL(requestedUrl("/failures", search), "http://localhost");
	return <FailuresPage filters={filtersFromSearch(params)} />;
}
