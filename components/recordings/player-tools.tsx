"use client";

import {
	Bookmark,
	Copy,
	Download,
	Ellipsis,
	Link2,
	Maximize,
	Minimize,
	PictureInPicture2,
	Trash2,
	Volume2,
	VolumeX,
} from "lucide-react";
import { useCan } from "#components/session/use-session.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { formatBytes } from "#lib/client/format.ts";
import { SPEEDS } from "#lib/client/player-memory.ts";
import { mediaPath } from "#lib/client/recordings.ts";
import { markerTexts, playerTexts as texts } from "#lib/texts/player.ts";
import { IconButton, iconButtonClass } from "./player/icon-button.tsx";
import type { PlayerControlsProps } from "./player-controls.tsx";
import type { PlayerMenuProps } from "./player/player-menu.tsx";
import { ShareButton } from "./share-button.tsx";
import type { Player } from "./use-player.ts";

const loadMenu = () => import("./player/player-menu.tsx").then((module) => module.PlayerMenu);

/** Speed, and what can be done with the video; as much of it as there is room for, the rest in a menu. */
export function PlayerTools({ recording, player, actions, size, onAddMarker }: PlayerControlsProps) {
	const compact = size === "compact";
	const mayDelete = useCan("write") && recording.state !== "live";
	return (
		<>
			<Speed player={player} />
			{player.hasSound ? (
				<IconButton
					label={player.muted ? texts.unmute : texts.mute}
					keys="M"
					large={compact}
					onClick={player.toggleMuted}
				>
					{player.muted ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
				</IconButton>
			) : null}
			{compact ? null : (
				<>
					{onAddMarker === null ? null : (
						<IconButton label={markerTexts.add} keys="A" onClick={onAddMarker}>
							<Bookmark aria-hidden />
						</IconButton>
					)}
					<IconButton label={texts.copyFrame} onClick={actions.copyFrame}>
						<Copy aria-hidden />
					</IconButton>
					<IconButton label={texts.copyLink} onClick={actions.copyLink}>
						<Link2 aria-hidden />
					</IconButton>
				</>
			)}
			<ShareButton recordingId={recording.id} />
			{size === "wide" ? (
				<>
					<a
						href={`${mediaPath(recording)}/video?download=1`}
						download
						aria-label={texts.download}
						title={recording.shared ? texts.download : texts.downloadOf(formatBytes(recording.bytes))}
						className={buttonClass("quiet", "icon")}
					>
						<Download aria-hidden className="size-4" />
					</a>
					{mayDelete ? (
						<IconButton label={texts.delete} onClick={actions.delete}>
							<Trash2 aria-hidden />
						</IconButton>
					) : null}
					{document.pictureInPictureEnabled ? (
						<IconButton label={texts.pictureInPicture} keys="I" onClick={player.pictureInPicture}>
							<PictureInPicture2 aria-hidden />
						</IconButton>
					) : null}
				</>
			) : null}
			<More
				recording={recording}
				player={player}
				actions={actions}
				size={size}
				onAddMarker={onAddMarker}
				mayDelete={mayDelete}
			/>
			<IconButton
				label={player.fullScreen ? texts.leaveFullScreen : texts.fullScreen}
				keys="F"
				large={compact}
				onClick={player.toggleFullScreen}
			>
				{player.fullScreen ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
			</IconButton>
		</>
	);
}

const More = (props: PlayerMenuProps) => (
	<MenuButton
		load={loadMenu}
		menu={(Menu, place) => <Menu {...props} {...place} />}
		aria-label={texts.more}
		title={texts.more}
		className={iconButtonClass(props.size === "compact")}
	>
		<Ellipsis aria-hidden />
	</MenuButton>
);

function Speed({ player }: { player: Player }) {
	return (
		<select
			aria-label={texts.speed}
			aria-keyshortcuts="< >"
			title={texts.withKeys(texts.speed, "< >")}
			value={player.speed}
			disabled={player.live?.following === true}
			onChange={(event) => player.setSpeed(Number(event.target.value))}
			className="h-8 rounded-md border border-transparent bg-transparent ps-1 [field-sizing:content] text-xs text-muted tabular-nums hover:bg-hover hover:text-ink disabled:opacity-60"
		>
			{SPEEDS.map((speed) => (
				<option key={speed} value={speed}>
					{texts.speedOf(speed)}
				</option>
			))}
		</select>
	);
}
