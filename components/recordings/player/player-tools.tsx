"use client";

import {
	Bookmark,
	Bug,
	Camera,
	Download,
	Ellipsis,
	Link2,
	Maximize,
	Minimize,
	Scissors,
	Share2,
	Volume2,
	VolumeX,
} from "lucide-react";
import { useCan } from "#components/account/use-session.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { DialogButton, type DialogControl } from "#components/ui/dialog-button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { formatBytes } from "#lib/client/format.ts";
import { mediaPath, type Played } from "#lib/client/recordings.ts";
import { IconButton, iconButtonClass } from "./icon-button.tsx";
import type { PlayerMenuProps } from "./player-menu.tsx";
import { isCopyInMenu, isReportInMenu, type PlayerSize } from "./player-size.ts";
import type { PlayerStore } from "./player-store.ts";
import type { RecordingActions } from "./recording-actions.ts";
import { SpeedSelect } from "./speed-select.tsx";
import { usePlayer, usePlayerState } from "./use-player.tsx";

const loadMenu = () => import("./player-menu.tsx").then((module) => module.PlayerMenu);

export interface PlayerToolsProps {
	recording: Played;
	actions: RecordingActions;
	size: PlayerSize;
	/** Null if the user may not write. */
	onAddMarker: (() => void) | null;
}

/** Speed, and the actions on the video: as many as fit, the others in a menu. */
export function PlayerTools({ recording, actions, size, onAddMarker }: PlayerToolsProps) {
	const player = usePlayer();
	const fullScreen = usePlayerState((state) => state.fullScreen);
	const canWrite = useCan("recordings:write");
	const compact = size === "compact";
	return (
		<>
			<Speed />
			<Mute large={compact} />
			{compact || onAddMarker === null ? null : (
				<IconButton label="Add marker" text="Add marker" keys="A" onClick={onAddMarker}>
					<Bookmark aria-hidden />
				</IconButton>
			)}
			{isCopyInMenu(size) ? null : (
				<>
					<IconButton label="Copy frame" text="Copy frame" onClick={actions.copyFrame}>
						<Camera aria-hidden />
					</IconButton>
					<IconButton label="Copy link at current time" text="Copy link" onClick={actions.copyLink}>
						<Link2 aria-hidden />
					</IconButton>
				</>
			)}
			{isReportInMenu(size, recording) || recording.shared ? null : (
				<>
					<IconButton label="Copy for bug report" keys="R" onClick={actions.copyReport}>
						<Bug aria-hidden />
					</IconButton>
					<IconButton label="Download clip" onClick={actions.saveClip}>
						<Scissors aria-hidden />
					</IconButton>
				</>
			)}
			{canWrite ? <Share recordingId={recording.id} player={player} /> : null}
			{size === "wide" ? (
				<a
					href={`${mediaPath(recording)}/video?download=1`}
					download
					aria-label="Download"
					title={recording.shared ? "Download" : `Download (${formatBytes(recording.bytes)})`}
					className={buttonClass("ghost", "icon")}
				>
					<Download aria-hidden className="size-4" />
				</a>
			) : null}
			<More
				recording={recording}
				actions={actions}
				size={size}
				onAddMarker={onAddMarker}
				canDelete={canWrite && recording.state !== "live"}
			/>
			<IconButton
				label={fullScreen ? "Leave full screen" : "Full screen"}
				keys="F"
				large={compact}
				onClick={player.toggleFullScreen}
			>
				{fullScreen ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
			</IconButton>
		</>
	);
}

function Mute({ large }: { large: boolean }) {
	const { toggleMuted } = usePlayer();
	const hasSound = usePlayerState((state) => state.hasSound);
	const muted = usePlayerState((state) => state.muted);
	if (!hasSound) return null;
	return (
		<IconButton label={muted ? "Unmute" : "Mute"} keys="M" large={large} onClick={toggleMuted}>
			{muted ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
		</IconButton>
	);
}

const Share = ({ recordingId, player }: { recordingId: number; player: PlayerStore }) => (
	<DialogButton
		dialog={(control) => <LazyShareDialog recordingId={recordingId} player={player} {...control} />}
		variant="ghost"
		size="icon"
		aria-label="Share"
		title="Share"
	>
		<Share2 aria-hidden className="size-4" />
	</DialogButton>
);

const loadShareDialog = () => import("../share/share-dialog.tsx").then((module) => module.ShareDialog);

function LazyShareDialog(props: DialogControl & { recordingId: number; player: PlayerStore }) {
	const ShareDialog = useEagerLazyModule(loadShareDialog, true);
	return ShareDialog === null ? null : <ShareDialog {...props} />;
}

function More(props: Omit<PlayerMenuProps, "player">) {
	const player = usePlayer();
	return (
		<MenuButton
			load={loadMenu}
			menu={(Menu, control) => <Menu {...props} player={player} {...control} />}
			aria-label="More"
			title="More"
			className={iconButtonClass(props.size === "compact")}
		>
			<Ellipsis aria-hidden />
		</MenuButton>
	);
}

function Speed() {
	const player = usePlayer();
	const speed = usePlayerState((state) => state.speed);
	const following = usePlayerState(({ live }) => live?.following === true);
	return <SpeedSelect speed={speed} disabled={following} onChange={(next) => player.setSpeed(next)} />;
}
