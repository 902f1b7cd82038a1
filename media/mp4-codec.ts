/** Codec names as in RFC 6381 and the `codecs=` parameter of media types. */
import { type Box, boxesIn, findBox } from "./mp4-boxes.ts";

const VISUAL_ENTRY_BYTES = 78;
const AUDIO_ENTRY_BYTES = 28;

const hex = (value: number): string => value.toString(16).padStart(2, "0");
const two = (value: number): string => value.toString().padStart(2, "0");

/** The codec of a sample entry: `avc1.64001f`, `vp09.00.10.08`, `mp4a.40.2`; otherwise the entry's type. */
export function codecOf(bytes: Buffer, entry: Box): string {
	switch (entry.type) {
		case "avc1":
		case "avc3": {
			const config = findBox(bytes, entry.body + VISUAL_ENTRY_BYTES, entry.end, "avcC");
			if (config === null) return entry.type;
			const at = config.body;
			return `${entry.type}.${hex(bytes.readUInt8(at + 1))}${hex(bytes.readUInt8(at + 2))}${hex(bytes.readUInt8(at + 3))}`;
		}
		case "vp09": {
			const config = findBox(bytes, entry.body + VISUAL_ENTRY_BYTES, entry.end, "vpcC");
			if (config === null) return entry.type;
			const at = config.body + 4;
			const depth = bytes.readUInt8(at + 2) >>> 4;
			return `vp09.${two(bytes.readUInt8(at))}.${two(bytes.readUInt8(at + 1))}.${two(depth)}`;
		}
		case "av01": {
			const config = findBox(bytes, entry.body + VISUAL_ENTRY_BYTES, entry.end, "av1C");
			if (config === null) return entry.type;
			const profile = bytes.readUInt8(config.body + 1) >>> 5;
			const level = bytes.readUInt8(config.body + 1) & 0x1f;
			const third = bytes.readUInt8(config.body + 2);
			const depth = (third & 0x40) === 0 ? 8 : (third & 0x20) === 0 ? 10 : 12;
			return `av01.${profile}.${two(level)}${(third & 0x80) === 0 ? "M" : "H"}.${two(depth)}`;
		}
		case "mp4a":
			return audioCodec(bytes, entry);
		default:
			return entry.type.replace(/[^\w-]/g, "_");
	}
}

/** `mp4a.` with the object type of the elementary stream descriptor, and AAC's audio object type. */
function audioCodec(bytes: Buffer, entry: Box): string {
	for (const child of boxesOfAudio(bytes, entry)) {
		if (child.type !== "esds") continue;
		const descriptor = bytes.subarray(child.body + 4, child.end);
		const config = descriptor.indexOf(0x04);
		if (config < 0) break;
		const at = afterLength(descriptor, config + 1);
		const objectType = descriptor[at];
		if (objectType === undefined) break;
		if (objectType !== 0x40) return `mp4a.${hex(objectType)}`;
		const specific = descriptor.indexOf(0x05, at + 13);
		const first = specific < 0 ? undefined : descriptor[afterLength(descriptor, specific + 1)];
		return `mp4a.40.${first === undefined ? 2 : first >>> 3}`;
	}
	return "mp4a";
}

/** The boxes of a sound's description. QuickTime has more fields before them, and some of them in a box of their own. */
function* boxesOfAudio(bytes: Buffer, entry: Box): Generator<Box> {
	const version = bytes.readUInt16BE(entry.body + 8);
	const start = entry.body + AUDIO_ENTRY_BYTES + (version === 1 ? 16 : version === 2 ? 36 : 0);
	for (const child of boxesIn(bytes, start, entry.end)) {
		if (child.type === "wave") yield* boxesIn(bytes, child.body, child.end);
		else yield child;
	}
}

/** Skips a descriptor's length: one to four bytes, where the high bit means that another follows. */
function afterLength(bytes: Buffer, start: number): number {
	let at = start;
	while (at < start + 3 && ((bytes[at] ?? 0) & 0x80) !== 0) at += 1;
	return at + 1;
}
