"use client";

import NextLink from "next/link";
import type { ComponentProps } from "react";
import { useNavigate } from "./use-navigate.ts";

/** A link to another page of the dashboard, or on the jobs page to what opens over it. Nothing is fetched before the click. */
export function Link({ href, ...rest }: ComponentProps<typeof NextLink> & { href: string }) {
	const navigate = useNavigate();
	return (
		<NextLink
			{...rest}
			href={href}
			prefetch={false}
			onNavigate={(event) => {
				event.preventDefault();
				void navigate(href);
			}}
		/>
	);
}
