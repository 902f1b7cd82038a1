import type { Metadata } from "next";
import { headers } from "next/headers";
import { ResetPasswordForm } from "#components/account/reset-password-form.tsx";

export const metadata: Metadata = { title: "New password" };

export default async function Page() {
	// Renders the page per request: its scripts need the request's nonce.
	await headers();
	return <ResetPasswordForm />;
}
