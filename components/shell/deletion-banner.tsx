"use client";

import { Trash2 } from "lucide-react";
import { useCan, useSession } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { formatExact } from "#lib/client/format.ts";

/** Says on every page when the organization is deleted, if an owner asked for that. */
export function DeletionBanner() {
	const { organizationName, organizationDeleteAt } = useSession();
	const mayCancel = useCan("organization:delete");
	if (organizationDeleteAt === null) return null;
	return (
		<div
			role="status"
			className="flex items-start gap-2.5 border-b border-danger/30 bg-soft-danger px-4 py-2 text-sm md:px-6"
		>
			<Trash2 aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
			<p className="min-w-0">
				<strong className="font-semibold" suppressHydrationWarning>
					{`${organizationName} will be deleted on ${formatExact(organizationDeleteAt)}, with everything in it.`}
				</strong>{" "}
				{mayCancel ? (
					<Link href="/settings/members" className="underline underline-offset-2">
						Cancel the deletion
					</Link>
				) : (
					"An owner can cancel it until then."
				)}
			</p>
		</div>
	);
}
