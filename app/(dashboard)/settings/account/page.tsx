import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { AccountPage } from "#components/settings/account-page.tsx";
import { ssoProvider, takesPasskeys } from "#lib/server/page-context.ts";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Your account" };

export default async function Page({ searchParams }: PageProps) {
	const { error } = await searchParams;
	await requireSession("/settings/account");
	return (
		<AccountPage
			provider={await ssoProvider()}
			ssoError={[error].flat()[0] ?? null}
			takesPasskeys={await takesPasskeys()}
		/>
	);
}
