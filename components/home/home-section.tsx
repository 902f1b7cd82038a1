import type { ReactNode } from "react";
import { Link } from "#components/navigation/link.tsx";

interface Props {
	title: string;
	/** The page that has more. */
	more?: { href: string; name: string };
	className?: string;
	children: ReactNode;
}

/** A part of the home page. */
export const HomeSection = ({ title, more, className, children }: Props) => (
	<section aria-label={title} className={className}>
		<div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
			<h2 className="text-sm leading-6 font-semibold">{title}</h2>
			{more === undefined ? null : (
				<Link href={more.href} className="rounded-sm text-sm leading-6 text-accent underline underline-offset-2">
					{more.name}
				</Link>
			)}
		</div>
		{children}
	</section>
);

/** A box with rows. */
export const BOX = "overflow-hidden rounded-lg border border-line bg-surface";
/** A row whose link covers it. */
export const ROW =
	"relative flex gap-3 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:px-4";
export const ROW_LINK = "outline-none after:absolute after:inset-0";

/** Says that there is nothing to look at. */
export const Calm = ({ children }: { children: ReactNode }) => (
	<div
		className={`${BOX} flex items-start gap-2.5 px-3 py-3 text-sm text-muted md:px-4 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0`}
	>
		{children}
	</div>
);
