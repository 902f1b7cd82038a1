"use client";

import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { isSingleKey, modKey, SHORTCUTS, type Shortcut, switchSingleKeys, useSingleKeys } from "./use-shortcuts.ts";

/** A line of the dialog: one shortcut, or several that belong together. */
type Entry = readonly [label: string, ...shortcuts: Shortcut[]];

const GROUPS = [
	{
		title: "Jobs",
		entries: [
			["Next job", "nextJob"],
			["Previous job", "previousJob"],
			["Open the job", "openJob"],
			["Select the job", "selectJob"],
			["Extend selection to here", "selectToJob"],
			["Extend selection up or down", "selectPreviousJob", "selectNextJob"],
			["Clear the selection", "clearSelection"],
			["Cancel the open job (asks first)", "cancelJob"],
			["Switch the open job", "nextOpenJob", "previousOpenJob"],
			["Close the job", "closeJob"],
			["Search jobs", "search"],
			["New job", "newJob"],
			["Create the job", "createJob"],
		],
	},
	{
		title: "Recordings",
		entries: [
			["Next card left or right", "cardLeft", "cardRight"],
			["Next card up or down", "cardUp", "cardDown"],
			["Next or previous recording", "nextRecording", "previousRecording"],
			["Play the recording", "playRecording"],
			["Mark the failures as seen", "markSeen"],
			["Select the recording", "selectRecording"],
			["Extend selection left or right", "selectLeft", "selectRight"],
			["Extend selection up or down", "selectUp", "selectDown"],
			["Extend selection to next or previous", "selectNextRecording", "selectPreviousRecording"],
			["Delete the selected recordings", "deleteSelected"],
			["Undo a deletion", "undoDelete"],
			["Switch the open recording", "nextOpenRecording", "previousOpenRecording"],
			["Search recordings", "search"],
		],
	},
	{
		title: "Player",
		entries: [
			["Play or pause", "play"],
			["Back 10 seconds", "back10"],
			["Forward 10 seconds", "forward10"],
			["Back 5 seconds", "back5"],
			["Forward 5 seconds", "forward5"],
			["Previous frame", "previousFrame"],
			["Next frame", "nextFrame"],
			["Jump to the start", "toStart"],
			["Jump to the end, or live", "toEnd"],
			["Jump to 0–90 %", "toTenth"],
			["Previous marker", "previousMarker"],
			["Next marker", "nextMarker"],
			["Add a marker", "addMarker"],
			["Next failed test", "nextFailure"],
			["Previous failed test", "previousFailure"],
			["Compare: overlay the videos", "compareOverlay"],
			["Compare: flip between the videos", "compareFlip"],
			["Compare: jump to the first difference", "firstDifference"],
			["Slower", "slower"],
			["Faster", "faster"],
			["Loop from here", "loopFrom"],
			["Loop to here", "loopTo"],
			["Clear the loop", "clearLoop"],
			["Copy for bug report", "copyReport"],
			["Full screen", "fullScreen"],
			["Picture in picture", "pictureInPicture"],
			["Mute", "mute"],
		],
	},
	{
		title: "Everywhere",
		entries: [
			["Search and run actions", "palette"],
			["Focus notifications", "notifications"],
			["Show these shortcuts", "shortcuts"],
		],
	},
] as const satisfies readonly { title: string; entries: readonly Entry[] }[];

type ShortcutsIn<E> = E extends readonly [string, ...infer S] ? S[number] : never;
type Listed = ShortcutsIn<(typeof GROUPS)[number]["entries"][number]>;
/** Compiles only while every shortcut is listed. */
const ALL_GROUPS: [Shortcut] extends [Listed] ? typeof GROUPS : never = GROUPS;

const NAMES: Readonly<Record<string, string>> = {
	" ": "Space",
	arrowleft: "←",
	arrowright: "→",
	arrowup: "↑",
	arrowdown: "↓",
	escape: "Esc",
	delete: "Del",
};

/** `shift+arrowup` → `Shift ↑`. */
const keyName = (key: string): string =>
	key
		.split("+")
		.map((part) => NAMES[part] ?? (part === "mod" ? modKey() : part.charAt(0).toUpperCase() + part.slice(1)))
		.join(" ");

/**
 * The keys of an entry: all of a single shortcut, the first of each where it stands for several.
 * @param singles whether single keys act
 */
function keysOf([, ...shortcuts]: Entry, singles: boolean): string[] {
	if (shortcuts.includes("toTenth")) return singles ? ["0 – 9"] : [];
	const [first, ...others] = shortcuts;
	const keys: readonly string[] =
		others.length === 0 && first !== undefined ? SHORTCUTS[first] : shortcuts.map((shortcut) => SHORTCUTS[shortcut][0]);
	return keys.filter((key) => singles || !isSingleKey(key)).map(keyName);
}

interface Props {
	open: boolean;
	onClose(): void;
	onCloseAutoFocus(event: Event): void;
}

/** All keyboard shortcuts, shown by `?` on every page and over the drawer of a job. */
export function ShortcutsDialog({ open, onClose, onCloseAutoFocus }: Props) {
	const singles = useSingleKeys();
	return (
		<DialogRoot open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
			<DialogContent aria-describedby={undefined} onCloseAutoFocus={onCloseAutoFocus}>
				<DialogHead title="Keyboard shortcuts" />
				<label className="flex items-start gap-2 border-b border-line px-5 py-3 text-sm">
					<input
						type="checkbox"
						checked={singles}
						onChange={({ target }) => switchSingleKeys(target.checked)}
						className="checkbox -my-1.5 -ms-2 shrink-0"
					/>
					<span>
						Single-key shortcuts
						<span className="block text-xs text-muted">
							Turn off if letters trigger actions by accident, e.g. with speech input. Applies to this browser.
						</span>
					</span>
				</label>
				<section
					aria-label="Shortcuts"
					// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
					tabIndex={0}
					className="grid gap-x-10 gap-y-5 overflow-y-auto p-5 -outline-offset-2 sm:grid-cols-2"
				>
					{ALL_GROUPS.map(({ title, entries }) => (
						<section key={title}>
							<h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
							<dl>
								{entries.map((entry) => (
									<div
										key={entry[0]}
										className="flex min-h-8 items-center justify-between gap-3 py-1 text-sm leading-tight"
									>
										<dt>{entry[0]}</dt>
										<dd className="flex shrink-0 gap-1">
											<Keys keys={keysOf(entry, singles)} />
										</dd>
									</div>
								))}
							</dl>
						</section>
					))}
				</section>
			</DialogContent>
		</DialogRoot>
	);
}

const Keys = ({ keys }: { keys: readonly string[] }) =>
	keys.length === 0 ? (
		<span className="text-xs text-muted">Off</span>
	) : (
		keys.map((key) => (
			<kbd
				key={key}
				className="min-w-6 rounded border border-line bg-inset px-1.5 text-center font-sans text-xs leading-5"
			>
				{key}
			</kbd>
		))
	);
