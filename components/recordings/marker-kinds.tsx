import { CircleCheck, CirclePause, CircleX, Flag, type LucideIcon, StickyNote } from "lucide-react";
import type { Marker } from "#lib/contract/marker.ts";

/** How each kind of marker looks: its picture and colour, and the shape of its tick on the bar. */
export const MARKER_LOOKS: Readonly<Record<Marker["kind"], { Icon: LucideIcon; tone: string; tick: string }>> = {
	step: { Icon: Flag, tone: "text-accent", tick: "bg-accent rounded-none h-3 w-[3px]" },
	pass: { Icon: CircleCheck, tone: "text-ok", tick: "bg-ok rounded-full size-2.5" },
	fail: { Icon: CircleX, tone: "text-danger", tick: "bg-danger rounded-none size-2 rotate-45" },
	note: { Icon: StickyNote, tone: "text-muted", tick: "bg-line-strong rounded-[2px] size-2" },
	// Two bars, drawn as borders: those stay in forced colours.
	stall: { Icon: CirclePause, tone: "text-warn", tick: "border-warn border-x-2 h-3 w-2" },
};
