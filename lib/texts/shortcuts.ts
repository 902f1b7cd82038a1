/** The keys of the dashboard, as the list of them shows them. */

export interface Shortcut {
	does: string;
	/** Each alone does it. */
	keys: readonly string[];
}

const shortcut = (does: string, ...keys: string[]): Shortcut => ({ does, keys });

export const shortcutTexts = {
	title: "Keyboard shortcuts",
	/** @param command what the reader's machine calls its command key */
	groups: (command: string): readonly { title: string; shortcuts: readonly Shortcut[] }[] => [
		{
			title: "Jobs",
			shortcuts: [
				shortcut("Next job", "J", "↓"),
				shortcut("Previous job", "K", "↑"),
				shortcut("Open the job", "Enter"),
				shortcut("Select the job", "X"),
				shortcut("Select up to the job", "Shift X"),
				shortcut("Select on the way", "Shift ↑", "Shift ↓"),
				shortcut("Clear the selection", "Esc"),
				shortcut("Cancel the open job", "C"),
				shortcut("Close the job", "Esc"),
				shortcut("Search jobs", "/"),
				shortcut("New job", "N"),
				shortcut("Create the job", `${command} Enter`),
			],
		},
		{
			title: "Recordings",
			shortcuts: [
				shortcut("To the card beside, above or below", "← →", "↑ ↓"),
				shortcut("Next or previous recording", "J", "K"),
				shortcut("Play the recording", "Enter"),
				shortcut("Select the recording", "X"),
				shortcut("Select on the way", "Shift ←", "Shift →"),
				shortcut("Delete what is selected", "Del"),
				shortcut("Undo a deletion", `${command} Z`),
				shortcut("Search recordings", "/"),
			],
		},
		{
			title: "Player",
			shortcuts: [
				shortcut("Play or pause", "Space", "K"),
				shortcut("Back 10 seconds", "J"),
				shortcut("Forward 10 seconds", "L"),
				shortcut("Back 5 seconds", "←"),
				shortcut("Forward 5 seconds", "→"),
				shortcut("Previous frame", ","),
				shortcut("Next frame", "."),
				shortcut("To the beginning", "Home"),
				shortcut("To the end, or live", "End"),
				shortcut("To a tenth of the video", "0 – 9"),
				shortcut("Previous marker", "Shift ←"),
				shortcut("Next marker", "Shift →"),
				shortcut("Add a marker", "A"),
				shortcut("Slower", "<"),
				shortcut("Faster", ">"),
				shortcut("Loop from here", "["),
				shortcut("Loop to here", "]"),
				shortcut("Clear the loop", "\\"),
				shortcut("Full screen", "F"),
				shortcut("Picture in picture", "I"),
				shortcut("Mute", "M"),
			],
		},
		{
			title: "Everywhere",
			shortcuts: [
				shortcut("Search and act", `${command} K`),
				shortcut("Go to the notifications", "Alt T"),
				shortcut("Show these shortcuts", "?"),
			],
		},
	],
} as const;
