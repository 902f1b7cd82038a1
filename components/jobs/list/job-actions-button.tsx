"use client";

import { Ellipsis } from "lucide-react";
import { useRef } from "react";
import { buttonClass } from "#components/ui/button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
import type { Job } from "#lib/contract/job.ts";

const loadMenu = () => import("./job-actions-menu.tsx").then((module) => module.JobActionsMenu);

interface Props {
	job: Job;
	/** Whether Tab reaches the button. */
	tabStop: boolean;
	onOpen(id: number, from: HTMLElement | null): void;
}

/** The button of what can be done with a job of the list. */
export function JobActionsButton({ job, tabStop, onOpen }: Props) {
	const trigger = useRef<HTMLButtonElement>(null);
	return (
		<MenuButton
			ref={trigger}
			load={loadMenu}
			menu={(Menu, place) => <Menu job={job} onOpen={() => onOpen(job.id, trigger.current)} {...place} />}
			tabIndex={tabStop ? undefined : -1}
			aria-label={`Actions for ${job.name}`}
			className={`${buttonClass("ghost", "icon")} pointer-coarse:size-11`}
		>
			<Ellipsis aria-hidden className="size-4" />
		</MenuButton>
	);
}
