import type { Metadata } from "next";
import { headers } from "next/headers";
import { ResetPasswordForm } from "#components/session/reset-password-form.tsx";

export const metadata: Metadata = { title: "New password" };

export default async function Page() {
	// Every page is made at its request, so that its scripts carry the request's nonce.
	await headers();
	return <ResetPasswordForm />;
}
