import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { PageProps } from "#app/page-props.ts";
import { TestPage } from "#components/tests/test-page.tsx";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Test" };

const ID = /^[1-9]\d{0,15}$/;

export default async function Page({ params, searchParams }: PageProps<{ testId: string }>) {
	const { testId } = await params;
	const search = await searchParams;
	const [result] = [search.result].flat();
	const [branch] = [search.branch].flat();
	if (!ID.test(testId) || (result !== undefined && !ID.test(result))) notFound();
	await requireSession(`/tests/${testId}`, search);
	return (
		<TestPage
			key={testId}
			testId={Number(testId)}
			resultId={result === undefined ? null : Number(result)}
			branch={branch ?? null}
		/>
	);
}
