"use client";

import { Ellipsis } from "lucide-react";
import { buttonClass } from "#components/ui/button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
import type { Runner } from "#lib/contract/runner.ts";
import { runnersTexts as texts } from "#lib/texts/runners.ts";

const loadMenu = () => import("./runner-actions-menu.tsx").then((module) => module.RunnerActionsMenu);

/** The button of what can be done with a runner. */
export const RunnerActionsButton = ({ runner }: { runner: Runner }) => (
	<MenuButton
		load={loadMenu}
		menu={(Menu, place) => <Menu runner={runner} {...place} />}
		aria-label={texts.actionsFor(runner.name)}
		className={buttonClass("quiet", "icon")}
	>
		<Ellipsis aria-hidden className="size-4" />
	</MenuButton>
);
