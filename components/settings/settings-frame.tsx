"use client";

import { clsx } from "clsx";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { PageHead } from "#components/ui/page-head.tsx";

const PAGES: readonly { href: string; name: string; administers?: true }[] = [
	{ href: "/settings", name: "General" },
	{ href: "/settings/members", name: "Members" },
	{ href: "/settings/schedules", name: "Schedules" },
	{ href: "/settings/webhooks", name: "Webhooks", administers: true },
	{ href: "/settings/audit", name: "Audit log", administers: true },
	{ href: "/settings/account", name: "Your account" },
];

/** The frame of the settings pages, with links between them. */
export function SettingsFrame({ children }: { children: ReactNode }) {
	const pathname = usePathname();
	const mayAdminister = useCan("organization:manage");
	const links = useRef<HTMLElement>(null);
	// A phone has no space for all of them.
	useEffect(() => {
		const current = links.current?.querySelector(`[href="${pathname}"]`);
		current?.scrollIntoView({ block: "nearest", inline: "nearest" });
	}, [pathname]);
	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
			<div className="border-b border-line px-4 pt-4 md:px-6">
				<PageHead title="Settings" />
				<nav
					ref={links}
					aria-label="Sections"
					// It covers the line below it, which it draws itself.
					className="scroll-cue mt-2 -mb-px flex gap-4 overflow-x-auto shadow-[inset_0_-1px_var(--line)] [--cue-on:var(--canvas)]"
				>
					{PAGES.filter(({ administers }) => mayAdminister || administers !== true).map(({ href, name }) => (
						<Link
							key={href}
							href={href}
							aria-current={href === pathname ? "page" : undefined}
							className={clsx(
								"flex min-h-11 items-center border-b-2 text-sm whitespace-nowrap md:min-h-9",
								href === pathname ? "border-accent font-medium" : "border-transparent text-muted hover:text-ink",
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
