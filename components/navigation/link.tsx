"use client";

import { useRouter } from "next/navigation";
import type { ComponentProps, MouseEvent } from "react";
import { useNavigate } from "./use-navigate.ts";

interface Props extends ComponentProps<"a"> {
	href: string;
	/** False where there are many links, or where the pointer passes over them: nothing is fetched before the click. */
	prefetch?: boolean;
}

/** A link to another page of the dashboard. `next/link` does more than is needed, and costs 3 KiB of every first load. */
export function Link({ href, prefetch = true, onClick, onFocus, onPointerEnter, ...rest }: Props) {
	const router = useRouter();
	const navigate = useNavigate();
	const prepare = () => {
		if (prefetch) router.prefetch(href);
	};
	return (
		<a
			{...rest}
			href={href}
			onPointerEnter={(event) => {
				onPointerEnter?.(event);
				prepare();
			}}
			onFocus={(event) => {
				onFocus?.(event);
				prepare();
			}}
			onClick={(event) => {
				onClick?.(event);
				if (!isPlainClick(event)) return;
				event.preventDefault();
				void navigate(href);
			}}
		/>
	);
}

/** Whether the click is to be followed in this tab, and not handled already. */
export const isPlainClick = (event: MouseEvent): boolean =>
	!event.defaultPrevented && event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
