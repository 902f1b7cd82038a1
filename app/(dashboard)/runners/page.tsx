import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { RunnersPage } from "#components/runners/runners-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Runners" };

export default async function Page({ searchParams }: PageProps) {
	await requireSession("/runners", await searchParams);
	return <RunnersPage />;
}
