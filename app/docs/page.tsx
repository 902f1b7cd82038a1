import type { Metadata } from "next";
import { type ApiDocument, ApiReference } from "#components/docs/api-reference.tsx";
import { apiDocument } from "#lib/server/page-context.ts";

export const metadata: Metadata = { title: "API" };

export default async function DocsPage() {
	return <ApiReference document={(await apiDocument()) as unknown as ApiDocument} />;
}
