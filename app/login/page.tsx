import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { PageProps } from "#app/page-props.ts";
import { SESSION_ENDS, safeNext } from "#components/account/sign-in.ts";
import { NoOrganization, SignInForm } from "#components/account/sign-in-form.tsx";
import {
	pageAccount,
	pageSession,
	sendsEmail,
	setupNeeded,
	ssoProvider,
	takesPasskeys,
} from "#lib/server/page-context.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function Page({ searchParams }: PageProps) {
	const { next, error, ended } = await searchParams;
	const target = safeNext([next].flat()[0]);
	if ((await pageSession()) !== null) redirect(target);
	if (await setupNeeded()) redirect("/setup");
	const account = await pageAccount();
	if (account !== null) return <NoOrganization email={account.email} />;
	return (
		<SignInForm
			next={target}
			provider={await ssoProvider()}
			ssoError={[error].flat()[0] ?? null}
			sendsEmail={await sendsEmail()}
			takesPasskeys={await takesPasskeys()}
			ended={SESSION_ENDS.find((reason) => reason === [ended].flat()[0]) ?? null}
		/>
	);
}
