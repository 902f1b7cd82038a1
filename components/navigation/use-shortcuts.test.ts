import { expect, test } from "vitest";
import { SHORTCUTS, type Shortcut, shortcutOf } from "./use-shortcuts.ts";

const ALL = Object.keys(SHORTCUTS) as Shortcut[];

/** @param held the modifiers, as in `"ctrl shift"` */
const press = (key: string, held = "") => ({
	key,
	shiftKey: held.includes("shift"),
	ctrlKey: held.includes("ctrl"),
	metaKey: held.includes("meta"),
	altKey: held.includes("alt"),
	getModifierState: (name: string) => name === "AltGraph" && held.includes("altgr"),
});

test("a letter is the same shortcut in upper case, and another one with Shift", () => {
	expect(shortcutOf(press("J"), ["nextJob"])).toBe("nextJob");
	expect(shortcutOf(press("X", "shift"), ["selectJob", "selectToJob"])).toBe("selectToJob");
});

test("a sign is the same shortcut however the keyboard types it", () => {
	expect(shortcutOf(press("?", "shift"), ["shortcuts"])).toBe("shortcuts");
	expect(shortcutOf(press("/", "shift"), ["search"])).toBe("search");
	expect(shortcutOf(press("[", "ctrl alt altgr"), ["loopFrom"])).toBe("loopFrom");
});

test("Ctrl and ⌘ are the same modifier, and no shortcut without one is pressed with it", () => {
	for (const mod of ["ctrl", "meta"]) {
		expect(shortcutOf(press("k", mod), ["palette", "play"])).toBe("palette");
		expect(shortcutOf(press("c", mod), ALL)).toBeUndefined();
	}
	expect(shortcutOf(press("k", "ctrl shift"), ALL)).toBeUndefined();
	expect(shortcutOf(press("k", "alt"), ALL)).toBeUndefined();
});

test("only the shortcuts that are asked for are found", () => {
	expect(shortcutOf(press("j"), ["back10"])).toBe("back10");
	expect(shortcutOf(press("j"), ["forward10"])).toBeUndefined();
});
