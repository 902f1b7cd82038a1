import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { filtersFromSearch } from "#components/tests/list/test-filters.ts";
import { TestsPage } from "#components/tests/list/tests-page.tsx";
import { requestedUrl, requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Tests" };

export default async function Page({ searchParams }: PageProps) {
	const search = await searchParams;
	await requireSession("/tests", search);
	const { searchParams: params } = new URL(requestedUrl("/tests", search), "http://localhost");
	return <TestsPage filters={filtersFromSearch(params)} />;
}
