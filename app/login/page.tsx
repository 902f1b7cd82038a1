import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInForm } from "#components/session/sign-in-form.tsx";
import { safeNext } from "#lib/client/session.ts";
import { pageSession, setupNeeded } from "#lib/server/page-context.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function Page({
	searchParams,
}: {
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	const { next } = await searchParams;
	const target = safeNext(Array.isArray(next) ? next[0] : next);
	if ((await pageSession()) !== null) redirect(target);
	if (await setupNeeded()) redirect("/setup");
	return <SignInForm next={target} />;
}
