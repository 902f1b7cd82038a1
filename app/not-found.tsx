import type { Metadata } from "next";
import { connection } from "next/server";
import { buttonClass } from "#components/ui/button.tsx";
import { pageTitles, notHereTexts as texts } from "#lib/texts/pages.ts";

export const metadata: Metadata = { title: pageTitles.notHere };

export default async function NotFound() {
	await connection();
	return (
		<main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center px-6 text-center">
			<h1 className="text-xl font-semibold">{texts.title}</h1>
			<p className="mt-1 text-sm text-muted">{texts.means}</p>
			<div className="mt-5 flex gap-2">
				{/* Plain links: every page would load Next's for this one. */}
				<a href="/jobs" className={buttonClass("primary")}>
					{texts.jobs}
				</a>
				<a href="/recordings" className={buttonClass()}>
					{texts.recordings}
				</a>
			</div>
		</main>
	);
}
