import type { Metadata } from "next";
import { connection } from "next/server";
import { buttonClass } from "#components/ui/button.tsx";

export const metadata: Metadata = { title: "Page not found" };

export default async function NotFound() {
	await connection();
	return (
		<main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center px-6 text-center">
			<h1 className="text-xl font-semibold">Page not found</h1>
			<p className="mt-1 text-sm text-muted">It may have been deleted, or the link is incomplete.</p>
			<div className="mt-5 flex gap-2">
				{/* Plain links: next/link here would be loaded by every page. */}
				<a href="/jobs" className={buttonClass("primary")}>
					Jobs
				</a>
				<a href="/recordings" className={buttonClass()}>
					Recordings
				</a>
			</div>
		</main>
	);
}
