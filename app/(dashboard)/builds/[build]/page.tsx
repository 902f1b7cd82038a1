import { MAX_SEARCH_LENGTH } from "@tapedeck/contract/search.ts";
import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { BuildPage } from "#components/builds/build-page.tsx";
import { partOf } from "#components/builds/build-parts.ts";
import { buildSearch } from "#components/builds/build-search.ts";
import { groupingOf } from "#components/builds/result-groups.ts";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Build" };

export default async function Page({ params, searchParams }: PageProps<{ build: string }>) {
	const { build: encoded } = await params;
	const search = await searchParams;
	const build = decodeURIComponent(encoded);
	await requireSession(`/builds/${encodeURIComponent(build)}`, search);
	// Written here, so that the page loads nothing of the language for it.
	const [show, find, group] = [search.show, search.find, search.group].map((value) => [value].flat()[0]);
	const found = { find: find?.slice(0, MAX_SEARCH_LENGTH) ?? "", group: groupingOf(group) };
	return <BuildPage name={build} q={buildSearch(build)} part={partOf(show)} found={found} />;
}
