"use client";

import {
	Building2,
	Film,
	Keyboard,
	Link2,
	ListVideo,
	LogOut,
	type LucideIcon,
	Plus,
	Server,
	Settings,
	Upload,
} from "lucide-react";
import { leave } from "#components/session/leave.ts";
import { switchOrganization } from "#components/session/switch-organization.ts";
import { useCan, useSession } from "#components/session/use-session.ts";
import { copyText } from "#components/ui/copy.ts";
import { toast } from "#components/ui/toast.ts";
import { paletteTexts as texts } from "#lib/texts/palette.ts";

export interface PaletteAction {
	id: string;
	words: string;
	Icon: LucideIcon;
	run(): void;
}

interface Means {
	goTo(address: string): void;
	showShortcuts(): void;
}

/** What can be done from everywhere by the person who is signed in. */
export function usePaletteActions({ goTo, showShortcuts }: Means): PaletteAction[] {
	const user = useSession();
	const mayWrite = useCan("write");
	const mayAdminister = useCan("administer");
	const going = (id: string, words: string, Icon: LucideIcon, address: string): PaletteAction => ({
		id,
		words,
		Icon,
		run: () => goTo(address),
	});
	return [
		...(mayWrite
			? [going("new-job", texts.newJob, Plus, "/jobs?new=1"), going("upload", texts.uploadVideo, Upload, "/recordings")]
			: []),
		...(mayAdminister ? [going("add-runner", texts.addRunner, Server, "/runners")] : []),
		going("jobs", texts.goToJobs, ListVideo, "/jobs"),
		going("recordings", texts.goToRecordings, Film, "/recordings"),
		going("runners", texts.goToRunners, Server, "/runners"),
		going("settings", texts.goToSettings, Settings, "/settings"),
		{ id: "copy-link", words: texts.copyLink, Icon: Link2, run: () => void copyLink() },
		{ id: "shortcuts", words: texts.shortcuts, Icon: Keyboard, run: showShortcuts },
		...user.organizations
			.filter(({ id }) => id !== user.organizationId)
			.map(({ id, name }) => ({
				id: `organization-${id}`,
				words: texts.switchTo(name),
				Icon: Building2,
				run: () => void switchOrganization(id),
			})),
		{ id: "sign-out", words: texts.signOut, Icon: LogOut, run: () => void leave() },
	];
}

async function copyLink(): Promise<void> {
	if (await copyText(location.href)) toast.success(texts.linkCopied);
	else toast.error(texts.linkNotCopied(location.href));
}
