import type { Metadata } from "next";
import { BuildsPage } from "#components/builds/builds-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Builds" };

export default async function Page({
	searchParams,
}: {
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	const search = await searchParams;
	await requireSession("/builds", search);
	return <BuildsPage q={[search.q].flat()[0] ?? ""} isByBranch={search.by === "branch"} />;
}
