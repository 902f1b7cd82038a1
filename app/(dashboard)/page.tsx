import type { Metadata } from "next";
import { HomePage } from "#components/home/home-page.tsx";
import { requireSession } from "./require-session.ts";

export const metadata: Metadata = { title: "Home" };

export default async function Page() {
	await requireSession("/");
	return <HomePage />;
}
