import type { Metadata } from "next";
import { TrashPage } from "#components/recordings/trash/trash-page.tsx";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Trash" };

export default async function Page() {
	await requireSession("/recordings/trash");
	return <TrashPage />;
}
