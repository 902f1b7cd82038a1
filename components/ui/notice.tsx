import { clsx } from "clsx";
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { errorMessage } from "#lib/client/api.ts";
import { Button } from "./button.tsx";

const TONES = {
	info: { Icon: Info, box: "bg-inset border-line", icon: "text-muted" },
	warn: { Icon: TriangleAlert, box: "bg-soft-warn border-warn/30", icon: "text-warn" },
	danger: { Icon: CircleAlert, box: "bg-soft-danger border-danger/30", icon: "text-danger" },
} as const;

/** A sentence or two that stand out. One with `alert` is read out when it appears. */
export function Notice({
	tone = "info",
	alert,
	children,
	className,
}: {
	tone?: keyof typeof TONES;
	alert?: boolean;
	children: ReactNode;
	className?: string;
}) {
	const { Icon, box, icon } = TONES[tone];
	return (
		<div
			role={alert ? "alert" : undefined}
			className={clsx("flex items-start gap-2 rounded-md border px-3 py-2 text-sm", box, className)}
		>
			<Icon aria-hidden className={clsx("mt-0.5 size-4 shrink-0", icon)} />
			<div className="min-w-0 break-words">{children}</div>
		</div>
	);
}

interface Query {
	/** Null while it has not failed. */
	error: unknown;
	refetch(): unknown;
}

/** Says that queries could not be loaded, and why; nothing while none has failed. @param what the missing data */
export function NotLoaded({ what, of }: { what: string; of: Query | readonly Query[] }) {
	const queries = [of].flat();
	const failed = queries.find((query) => query.error !== null);
	if (failed === undefined) return null;
	return (
		<Notice tone="danger" alert className="mx-4 mt-4 md:mx-6">
			{`Couldn't load ${what}. ${errorMessage(failed.error)} `}
			<Button
				size="small"
				className="max-sm:mt-2 max-sm:flex sm:ms-2"
				onClick={() => void Promise.all(queries.map((query) => query.refetch()))}
			>
				Try again
			</Button>
		</Notice>
	);
}
