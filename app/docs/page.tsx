import type { Metadata } from "next";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { ReferenceHeader } from "#components/docs/reference-header.tsx";
import { pageAccount } from "#lib/server/page-context.ts";

export const metadata: Metadata = { title: "API reference" };

export default async function DocsPage() {
	const account = await pageAccount();
	return (
		<div>
			<ReferenceHeader />
			<ApiReference signedIn={account !== null} />
		</div>
	);
}
