import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { DeviceSignIn } from "#components/account/device-sign-in.tsx";
import { requireSession } from "../(dashboard)/require-session.ts";

export const metadata: Metadata = { title: "Confirm a sign-in" };

export default async function Page({ searchParams }: PageProps) {
	const search = await searchParams;
	const { organizationName, role } = await requireSession("/device", search);
	return <DeviceSignIn code={[search.code].flat()[0] ?? ""} organizationName={organizationName} role={role} />;
}
