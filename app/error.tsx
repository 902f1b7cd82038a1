"use client";

import { Button, buttonClass } from "#components/ui/button.tsx";
import { brokenTexts as texts } from "#lib/texts/pages.ts";

/** What stands instead of a page that broke while it was drawn. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
	return (
		<main className="mx-auto flex min-h-[60dvh] max-w-md flex-col items-center justify-center px-6 text-center">
			<h1 className="text-xl font-semibold">{texts.title}</h1>
			<p className="mt-1 text-sm text-muted">
				{texts.means}
				{error.digest ? (
					<>
						{" "}
						{texts.inLog} <code>{error.digest}</code>
					</>
				) : null}
			</p>
			<div className="mt-5 flex gap-2">
				<Button look="primary" onClick={reset}>
					{texts.tryAgain}
				</Button>
				<a href="/jobs" className={buttonClass()}>
					{texts.jobs}
				</a>
			</div>
		</main>
	);
}
