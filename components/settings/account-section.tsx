"use client";

import { useQuery } from "@tanstack/react-query";
import { leave } from "#components/session/leave.ts";
import { Button } from "#components/ui/button.tsx";
import { meQuery } from "#lib/client/session.ts";
import type { SessionUser } from "#lib/contract/organization.ts";
import { Section } from "./section.tsx";

/** Who belongs here, as far as it can be seen, and the way out. */
export function AccountSection({ user }: { user: SessionUser }) {
	const me = useQuery({ ...meQuery(), initialData: user }).data;
	return (
		<Section title="Members" intro={`People of ${me.organizationName}.`}>
			<ul aria-label="Members" className="rounded-lg border border-line bg-surface">
				<li className="flex items-center justify-between gap-3 px-4 py-2.5">
					<div className="min-w-0">
						<p className="truncate text-sm font-medium">
							{me.name} <span className="font-normal text-muted">(you)</span>
						</p>
						<p className="truncate text-xs text-muted">{me.email}</p>
					</div>
					<span className="rounded-full bg-inset px-2 py-0.5 text-xs font-medium text-muted">{me.role}</span>
				</li>
			</ul>
			<Button className="mt-3" onClick={() => void leave()}>
				Sign out
			</Button>
		</Section>
	);
}
