import type { Metadata } from "next";
import { RunnersPage } from "#components/runners/runners-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Runners" };

export default async function Page({
	searchParams,
}: {
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	await requireSession("/runners", await searchParams);
	return <RunnersPage />;
}
