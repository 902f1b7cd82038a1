"use client";

import { clsx } from "clsx";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useCan } from "#components/session/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { settingsTexts as texts } from "#lib/texts/settings.ts";

const PAGES: readonly { href: string; name: string; administers?: true }[] = [
	{ href: "/settings", name: texts.general },
	{ href: "/settings/members", name: texts.members },
	{ href: "/settings/audit", name: texts.audit, administers: true },
	{ href: "/settings/account", name: texts.account },
];

/** The frame of the settings' pages, with the way from one to the other. */
export function SettingsFrame({ children }: { children: ReactNode }) {
	const here = usePathname();
	const mayAdminister = useCan("administer");
	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
			<div className="border-b border-line px-4 pt-4 md:px-6">
				<PageHead title={texts.settings} />
				<nav aria-label={texts.sections} className="mt-2 -mb-px flex gap-4 overflow-x-auto">
					{PAGES.filter(({ administers }) => mayAdminister || administers !== true).map(({ href, name }) => (
						<Link
							key={href}
							href={href}
							aria-current={href === here ? "page" : undefined}
							className={clsx(
								"flex min-h-11 items-center border-b-2 text-sm whitespace-nowrap md:min-h-9",
								href === here ? "border-accent font-medium" : "border-transparent text-muted hover:text-ink",
							)}
						>
							{name}
						</Link>
					))}
				</nav>
			</div>
			<div className="flex max-w-3xl flex-col gap-10 p-4 pb-16 md:p-6">{children}</div>
		</div>
	);
}
