/** The icon and colour of each kind of event in a job's history. */
import {
	Ban,
	CircleCheck,
	CircleDot,
	CirclePause,
	CirclePlus,
	CircleSmall,
	CircleStop,
	HardDrive,
	HardDriveUpload,
	Loader,
	LockKeyhole,
	type LucideIcon,
	PlugZap,
	Radar,
	RotateCw,
	Scaling,
	Square,
	TriangleAlert,
	Unplug,
	Wifi,
	WifiOff,
} from "lucide-react";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "#lib/contract/upload-events.ts";

export interface EventLook {
	Icon: LucideIcon;
	tone: string;
}

const PLAIN: EventLook = { Icon: CircleSmall, tone: "text-muted" };

const LOOKS = new Map<string, EventLook>([
	["created", { Icon: CirclePlus, tone: "text-muted" }],
	["starting", { Icon: Loader, tone: "text-accent" }],
	["recording", { Icon: CircleDot, tone: "text-live" }],
	["cancel_requested", { Icon: CircleStop, tone: "text-danger" }],
	["stopped", { Icon: Square, tone: "text-ink" }],
	["completed", { Icon: CircleCheck, tone: "text-ok" }],
	["failed", { Icon: TriangleAlert, tone: "text-warn" }],
	["cancelled", { Icon: Ban, tone: "text-muted" }],
	["runner_lost", { Icon: Unplug, tone: "text-warn" }],
	["runner_returned", { Icon: PlugZap, tone: "text-ok" }],
	["grid_recognised", { Icon: Radar, tone: "text-muted" }],
	["grid_silent", { Icon: WifiOff, tone: "text-warn" }],
	["grid_reachable", { Icon: Wifi, tone: "text-ok" }],
	["grid_unauthorized", { Icon: LockKeyhole, tone: "text-warn" }],
	["display_resized", { Icon: Scaling, tone: "text-muted" }],
	["capture_stalled", { Icon: CirclePause, tone: "text-warn" }],
	["capture_resumed", { Icon: RotateCw, tone: "text-warn" }],
	[UPLOAD_WAITING, { Icon: HardDrive, tone: "text-warn" }],
	[UPLOAD_GOES_ON, { Icon: HardDriveUpload, tone: "text-ok" }],
]);

/** A kind that is not known here, from a newer server or runner, gets a plain mark. */
export const lookOf = (type: string): EventLook => LOOKS.get(type) ?? PLAIN;
