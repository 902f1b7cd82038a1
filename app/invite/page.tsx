import type { Metadata } from "next";
import { Invitation } from "#components/account/invitation.tsx";
import { pageAccount, ssoProvider } from "#lib/server/page-context.ts";

export const metadata: Metadata = { title: "Invitation" };

export default async function Page() {
	return <Invitation signedIn={await pageAccount()} provider={await ssoProvider()} />;
}
