import type { Metadata } from "next";
import Link from "next/link";
import { connection } from "next/server";
import { buttonClass } from "#components/ui/button.tsx";

export const metadata: Metadata = { title: "Not here" };

export default async function NotFound() {
	await connection();
	return (
		<main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center px-6 text-center">
			<h1 className="text-xl font-semibold">There is nothing at this address</h1>
			<p className="mt-1 text-sm text-muted">
				It may have been deleted, or the link is not complete. Look for it in the list.
			</p>
			<div className="mt-5 flex gap-2">
				<Link href="/jobs" className={buttonClass("primary")}>
					Jobs
				</Link>
				<Link href="/recordings" className={buttonClass()}>
					Recordings
				</Link>
			</div>
		</main>
	);
}
