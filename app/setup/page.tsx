import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SetupForm } from "#components/account/setup-form.tsx";
import { setupNeeded } from "#lib/server/page-context.ts";

export const metadata: Metadata = { title: "Set up" };

export default async function Page() {
	if (!(await setupNeeded())) redirect("/");
	return <SetupForm />;
}
