import type { Metadata } from "next";
import { BuildsPage } from "#components/builds/builds-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Builds" };

export default async function Page() {
	await requireSession("/builds");
	return <BuildsPage />;
}
