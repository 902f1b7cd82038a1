import type { ReactNode } from "react";
import { Wordmark } from "#components/shell/wordmark.tsx";

/** The frame of the pages that need no session: sign-in, setup, invitations, password reset. */
export function SignInFrame({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
	return (
		<main className="mx-auto flex min-h-dvh w-full max-w-[392px] flex-col justify-center px-4 py-10">
			<div className="mb-6 flex justify-center">
				<Wordmark large />
			</div>
			<div className="rounded-xl border border-line bg-surface p-6 shadow-[0_1px_2px_rgb(0_0_0/0.04)]">
				<h1 className="text-lg font-semibold">{title}</h1>
				{intro === undefined ? null : <p className="mt-0.5 text-sm text-muted">{intro}</p>}
				<div className="mt-5">{children}</div>
			</div>
		</main>
	);
}
