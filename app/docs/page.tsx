import type { Metadata } from "next";
import { type ApiDocument, ApiReference } from "#components/docs/api-reference.tsx";
import { apiDocument } from "#lib/server/page-context.ts";
import { pageTitles } from "#lib/texts/pages.ts";

export const metadata: Metadata = { title: pageTitles.api };

export default async function DocsPage() {
	return <ApiReference document={(await apiDocument()) as unknown as ApiDocument} />;
}
