"use client";

import {
	Building2,
	Film,
	House,
	Keyboard,
	Layers,
	Link2,
	ListChecks,
	ListVideo,
	LogOut,
	type LucideIcon,
	Plus,
	Server,
	Settings,
	TriangleAlert,
	Upload,
} from "lucide-react";
import { signOutAndLeave, switchOrganization } from "#components/account/session-changes.ts";
import { useCan, useSession } from "#components/account/use-session.ts";
import { copyText } from "#components/ui/copy-button.tsx";
import { toast } from "#components/ui/toast.ts";

export interface PaletteAction {
	id: string;
	label: string;
	Icon: LucideIcon;
	run(): void;
}

interface Means {
	goTo(address: string): void;
	showShortcuts(): void;
}

/** The actions that the signed-in user can run from every page. */
export function usePaletteActions({ goTo, showShortcuts }: Means): PaletteAction[] {
	const user = useSession();
	const mayWrite = useCan("jobs:write");
	const mayAdminister = useCan("runners:manage");
	const going = (id: string, label: string, Icon: LucideIcon, address: string): PaletteAction => ({
		id,
		label,
		Icon,
		run: () => goTo(address),
	});
	return [
		...(mayWrite
			? [going("new-job", "New job", Plus, "/jobs?new=1"), going("upload", "Upload files", Upload, "/recordings")]
			: []),
		...(mayAdminister ? [going("add-runner", "Add runner", Server, "/runners?new=1")] : []),
		going("home", "Go home", House, "/"),
		going("jobs", "Go to jobs", ListVideo, "/jobs"),
		going("recordings", "Go to recordings", Film, "/recordings"),
		going("builds", "Go to builds", Layers, "/builds"),
		going("tests", "Go to tests", ListChecks, "/tests"),
		going("failures", "Go to failures", TriangleAlert, "/failures"),
		going("runners", "Go to runners", Server, "/runners"),
		going("settings", "Go to settings", Settings, "/settings"),
		{ id: "copy-link", label: "Copy link to this page", Icon: Link2, run: () => void copyLink() },
		{ id: "shortcuts", label: "Keyboard shortcuts", Icon: Keyboard, run: showShortcuts },
		...user.organizations
			.filter(({ id }) => id !== user.organizationId)
			.map(({ id, name }) => ({
				id: `organization-${id}`,
				label: `Switch to ${name}`,
				Icon: Building2,
				run: () => void switchOrganization(id),
			})),
		{ id: "sign-out", label: "Sign out", Icon: LogOut, run: () => void signOutAndLeave() },
	];
}

async function copyLink(): Promise<void> {
	if (await copyText(location.href)) toast.success("Copied link to this page.");
	else toast.error(`Your browser blocked copying. The link is ${location.href}`);
}
