"use client";

import {
	Bookmark,
	Copy,
	Download,
	ImageDown,
	Link2,
	PictureInPicture2,
	Repeat,
	RotateCcw,
	RotateCw,
	Trash2,
	X,
} from "lucide-react";
import { MenuItem, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuPlace } from "#components/ui/menu-button.tsx";
import { mediaPath, type Played } from "#lib/client/recordings.ts";
import { markerTexts, playerTexts as texts } from "#lib/texts/player.ts";
import type { Player } from "../use-player.ts";
import type { PlayerSize } from "../use-player-size.ts";
import type { RecordingActions } from "../use-recording-actions.ts";

export interface PlayerMenuProps {
	recording: Played;
	player: Player;
	actions: RecordingActions;
	size: PlayerSize;
	/** Null for those who may only look. */
	onAddMarker: (() => void) | null;
	mayDelete: boolean;
}

/** What is not needed every moment, and what did not fit beside it. */
export function PlayerMenu(props: PlayerMenuProps & MenuPlace) {
	const { recording, player, actions, size, onAddMarker, mayDelete, ...place } = props;
	const compact = size === "compact";
	return (
		<MenuPanel {...place} className="max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto">
			{compact ? (
				<>
					<Item icon={RotateCcw} label={texts.back} keys="J" onSelect={() => player.skip(-10)} />
					<Item icon={RotateCw} label={texts.forward} keys="L" onSelect={() => player.skip(10)} />
					<MenuSeparator />
					{onAddMarker === null ? null : (
						<Item icon={Bookmark} label={markerTexts.add} keys="A" onSelect={onAddMarker} />
					)}
					<Item icon={Copy} label={texts.copyFrame} onSelect={actions.copyFrame} />
				</>
			) : null}
			<Item icon={ImageDown} label={texts.saveFrame} onSelect={actions.saveFrame} />
			{compact ? <Item icon={Link2} label={texts.copyLink} onSelect={actions.copyLink} /> : null}
			<MenuSeparator />
			<Item icon={Repeat} label={texts.loopFrom} keys="[" onSelect={player.loopFrom} />
			<Item icon={Repeat} label={texts.loopTo} keys="]" onSelect={player.loopTo} />
			{player.loop === null ? null : <Item icon={X} label={texts.clearLoop} keys="\" onSelect={player.clearLoop} />}
			{document.pictureInPictureEnabled ? (
				<>
					<MenuSeparator />
					<Item icon={PictureInPicture2} label={texts.pictureInPicture} keys="I" onSelect={player.pictureInPicture} />
				</>
			) : null}
			{size === "wide" ? null : (
				<>
					<MenuSeparator />
					<MenuItem asChild>
						<a href={`${mediaPath(recording)}/video?download=1`} download>
							<Download aria-hidden />
							{texts.download}
						</a>
					</MenuItem>
					{mayDelete ? (
						<MenuItem danger onSelect={actions.delete}>
							<Trash2 aria-hidden />
							{texts.delete}
						</MenuItem>
					) : null}
				</>
			)}
		</MenuPanel>
	);
}

function Item(props: { icon: typeof Copy; label: string; keys?: string; onSelect(): void }) {
	const { icon: Icon, label, keys, onSelect } = props;
	return (
		<MenuItem onSelect={onSelect}>
			<Icon aria-hidden />
			{label}
			{keys === undefined ? null : (
				<kbd aria-hidden className="ms-auto ps-4 font-sans text-xs text-muted pointer-coarse:hidden">
					{keys}
				</kbd>
			)}
		</MenuItem>
	);
}
