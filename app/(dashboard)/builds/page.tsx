import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { BuildsPage } from "#components/builds/builds-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Builds" };

export default async function Page({ searchParams }: PageProps) {
	const search = await searchParams;
	await requireSession("/builds", search);
	return <BuildsPage q={[search.q].flat()[0] ?? ""} isByBranch={search.by === "branch"} />;
}
