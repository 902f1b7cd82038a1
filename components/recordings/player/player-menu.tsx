"use client";

import {
	Bookmark,
	Bug,
	Camera,
	Download,
	ImageDown,
	Link2,
	type LucideIcon,
	PictureInPicture2,
	Repeat,
	RotateCcw,
	RotateCw,
	Scissors,
	Trash2,
	X,
} from "lucide-react";
import { useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { MenuItem, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuControl } from "#components/ui/menu-button.tsx";
import { mediaPath, type Played } from "#lib/client/recordings.ts";
import { isCopyInMenu, isReportInMenu, type PlayerSize } from "./player-size.ts";
import type { PlayerStore } from "./player-store.ts";
import type { RecordingActions } from "./recording-actions.ts";

export interface PlayerMenuProps {
	recording: Played;
	player: PlayerStore;
	actions: RecordingActions;
	size: PlayerSize;
	/** Null if the user may not write. */
	onAddMarker: (() => void) | null;
	canDelete: boolean;
}

/**
 * Rarely used actions, and buttons that did not fit into the bar. "Delete" is at the end, away from "Download", so that
 * a click that misses does not delete.
 */
export function PlayerMenu(props: PlayerMenuProps & MenuControl) {
	const { recording, player, actions, size, onAddMarker, canDelete, ...control } = props;
	const compact = size === "compact";
	return (
		<MenuPanel {...control} className="max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto">
			{compact ? (
				<>
					<Item icon={RotateCcw} label="Back 10 seconds" keys="J" onSelect={() => player.skip(-10)} />
					<Item icon={RotateCw} label="Forward 10 seconds" keys="L" onSelect={() => player.skip(10)} />
					<MenuSeparator />
					{onAddMarker === null ? null : <Item icon={Bookmark} label="Add marker" keys="A" onSelect={onAddMarker} />}
				</>
			) : null}
			{isCopyInMenu(size) ? <Item icon={Camera} label="Copy frame" onSelect={actions.copyFrame} /> : null}
			<Item icon={ImageDown} label="Save frame as image" onSelect={actions.saveFrame} />
			{isCopyInMenu(size) ? <Item icon={Link2} label="Copy link at current time" onSelect={actions.copyLink} /> : null}
			{isReportInMenu(size, recording) && !recording.shared ? (
				<>
					<Item icon={Bug} label="Copy for bug report" keys="R" onSelect={actions.copyReport} />
					<Item icon={Scissors} label="Download clip" onSelect={actions.saveClip} />
				</>
			) : null}
			{size === "wide" ? null : (
				<MenuItem asChild>
					<a href={`${mediaPath(recording)}/video?download=1`} download>
						<Download aria-hidden />
						Download
					</a>
				</MenuItem>
			)}
			<MenuSeparator />
			<Item icon={Repeat} label="Loop from here" keys="[" onSelect={player.loopFrom} />
			<Item icon={Repeat} label="Loop to here" keys="]" onSelect={player.loopTo} />
			{player.getState().loop === null ? null : (
				<Item icon={X} label="Clear the loop" keys="\" onSelect={player.clearLoop} />
			)}
			{document.pictureInPictureEnabled ? (
				<>
					<MenuSeparator />
					<Item icon={PictureInPicture2} label="Picture in picture" keys="I" onSelect={player.pictureInPicture} />
				</>
			) : null}
			{canDelete ? (
				<>
					<MenuSeparator />
					<MenuItem danger onSelect={actions.delete}>
						<Trash2 aria-hidden />
						Delete recording
					</MenuItem>
				</>
			) : null}
		</MenuPanel>
	);
}

function Item(props: { icon: LucideIcon; label: string; keys?: string; onSelect(): void }) {
	const { icon: Icon, label, keys, onSelect } = props;
	const isNamed = useSingleKeys() && keys !== undefined;
	return (
		<MenuItem onSelect={onSelect}>
			<Icon aria-hidden />
			{label}
			{isNamed ? (
				<kbd aria-hidden className="ms-auto ps-4 font-sans text-xs text-muted pointer-coarse:hidden">
					{keys}
				</kbd>
			) : null}
		</MenuItem>
	);
}
