import type { Metadata } from "next";
import { WebhooksPage } from "#components/webhooks/webhooks-page.tsx";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Webhooks" };

export default async function Page() {
	await requireSession("/settings/webhooks");
	return <WebhooksPage />;
}
