import type { Metadata } from "next";
import { periodOf } from "#components/failures/failure-groups.ts";
import { FailuresPage } from "#components/failures/failures-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Failures" };

export default async function Page({
	searchParams,
}: {
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	const search = await searchParams;
	await requireSession("/failures", search);
	return <FailuresPage period={periodOf([search.since].flat()[0])} />;
}
