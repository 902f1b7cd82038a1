import type { Metadata } from "next";
import { BuildPage } from "#components/builds/build-page.tsx";
import { buildSearch } from "#components/builds/build-search.ts";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Build" };

export default async function Page({ params }: { params: Promise<{ build: string }> }) {
	const { build: encoded } = await params;
	const build = decodeURIComponent(encoded);
	await requireSession(`/builds/${encodeURIComponent(build)}`);
	// Written here, so that the page loads nothing of the language for it.
	return <BuildPage name={build} q={buildSearch(build)} />;
}
