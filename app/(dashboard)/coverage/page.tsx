import type { Metadata } from "next";
import { CoveragePage } from "#components/grid-sessions/coverage-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Coverage" };

export default async function Page() {
	await requireSession("/coverage");
	return <CoveragePage />;
}
