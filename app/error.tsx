"use client";

import { Button, buttonClass } from "#components/ui/button.tsx";

/** Shown when a page fails to render. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
	return (
		<main className="mx-auto flex min-h-[60dvh] max-w-md flex-col items-center justify-center px-6 text-center">
			<h1 className="text-xl font-semibold">Something went wrong</h1>
			<p className="mt-1 text-sm text-muted">
				Your jobs and recordings are not affected. Try again. If it keeps happening, check the server log.
				{error.digest ? (
					<>
						{" "}
						Error ID: <code>{error.digest}</code>
					</>
				) : null}
			</p>
			<div className="mt-5 flex gap-2">
				<Button variant="primary" onClick={reset}>
					Try again
				</Button>
				<a href="/jobs" className={buttonClass()}>
					Jobs
				</a>
			</div>
		</main>
	);
}
