import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Homeless } from "#components/session/homeless.tsx";
import { SignInForm } from "#components/session/sign-in-form.tsx";
import { safeNext } from "#lib/client/session.ts";
import { pageAccount, pageSession, setupNeeded, ssoProvider } from "#lib/server/page-context.ts";
import { pageTitles } from "#lib/texts/pages.ts";

export const metadata: Metadata = { title: pageTitles.signIn };

export default async function Page({
	searchParams,
}: {
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	const { next, error } = await searchParams;
	const target = safeNext([next].flat()[0]);
	if ((await pageSession()) !== null) redirect(target);
	if (await setupNeeded()) redirect("/setup");
	const account = await pageAccount();
	if (account !== null) return <Homeless email={account.email} />;
	return <SignInForm next={target} provider={await ssoProvider()} refusal={[error].flat()[0] ?? null} />;
}
