/**
 * Extracts short strings from a session's capabilities: the browser, and the client's name for the session. A client
 * may send anything, of any size. Secrets and addresses that control the browser stay on this machine.
 */
import { LABEL_KEY_PATTERN, type Labels, MAX_LABELS } from "@tapedeck/contract/labels.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import {
	MAX_CAPABILITIES,
	MAX_CAPABILITY_KEY,
	MAX_CAPABILITY_VALUE,
	MAX_SESSION_NAME,
} from "@tapedeck/contract/session.ts";

export interface SessionDescription {
	/** `tapedeck:name`, else `se:name`. */
	name: string | null;
	/** False if the client requested no recording: `tapedeck:record`, or docker-selenium's `se:recordVideo`. */
	isWanted: boolean;
	capabilities: Record<string, string>;
	/** `tapedeck:labels`, as an object or as `key=value,key=value`, and the build: `tapedeck:build`, else `se:build`. */
	labels: Labels;
}

const MAX_LABELS_LENGTH = 8_000;
/** Keys that are looked at: the rest of a huge object is ignored. */
const MAX_LOOKED_AT = 2_000;

const ABOUT_BROWSER = new Set(["browserName", "browserVersion", "version", "platformName", "platform"]);
const SECRET = /pass|pwd|token|key|secret|credential|auth|cookie/i;
/** Set by the grid itself. With these values, anybody can see or control the browser. */
const CONTROLS = /^se:(cdp|cdpVersion|forwardCdp|bidi.*|vnc.*|noVnc.*|gridWebSocketUrl|remoteUrl)$/i;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads capabilities as a grid reports them. Never throws. */
export function describeSession(raw: unknown): SessionDescription {
	const capabilities: Record<string, string> = {};
	if (!isObject(raw)) return { name: null, isWanted: true, capabilities, labels: {} };
	let kept = 0;
	let lookedAt = 0;
	for (const key in raw) {
		if (kept === MAX_CAPABILITIES || ++lookedAt > MAX_LOOKED_AT) break;
		const text = isKept(key) ? textOf(raw[key]) : null;
		if (text === null) continue;
		capabilities[key] = text;
		kept++;
	}
	const name = nameIn(raw, "tapedeck:name") ?? nameIn(raw, "se:name") ?? nameIn(raw, "name");
	const isWanted = !isFalse(raw["tapedeck:record"]) && !isFalse(raw["se:recordVideo"]);
	const build = textOf(raw["tapedeck:build"]) ?? textOf(raw["se:build"]);
	const labels = { ...(build === null ? {} : { build }), ...labelsIn(raw["tapedeck:labels"]) };
	return { name, isWanted, capabilities, labels };
}

function labelsIn(value: unknown): Labels {
	const pairs: [string, unknown][] = [];
	if (isObject(value)) {
		for (const key in value) if (pairs.push([key, value[key]]) === MAX_LABELS) break;
	} else if (typeof value === "string") {
		for (const pair of value.slice(0, MAX_LABELS_LENGTH).split(",", MAX_LABELS)) {
			const at = pair.indexOf("=");
			if (at > 0) pairs.push([pair.slice(0, at).trim(), pair.slice(at + 1).trim()]);
		}
	}
	const labels: Labels = {};
	for (const [key, each] of pairs) {
		const text = LABEL_KEY_PATTERN.test(key) && !SECRET.test(key) ? textOf(each) : null;
		if (text !== null) labels[key] = text;
	}
	return labels;
}

const isKept = (key: string): boolean =>
	key.length <= MAX_CAPABILITY_KEY &&
	(ABOUT_BROWSER.has(key) || /^(se|tapedeck):[\x21-\x7e]+$/.test(key)) &&
	!SECRET.test(key) &&
	!CONTROLS.test(key);

/** Strings, and the numbers and flags that clients send in their place. */
function textOf(value: unknown): string | null {
	if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return String(value);
	if (typeof value !== "string") return null;
	const text = sanitizeName(value.slice(0, 2 * MAX_CAPABILITY_VALUE), MAX_CAPABILITY_VALUE);
	return text === "" ? null : text;
}

function nameIn(capabilities: Json, key: string): string | null {
	const value = capabilities[key];
	if (typeof value !== "string") return null;
	return sanitizeName(value.slice(0, 2 * MAX_SESSION_NAME), MAX_SESSION_NAME) || null;
}

const isFalse = (value: unknown): boolean => value === false || value === "false";

/** The session in a sentence: its name, else its id. */
export const sessionTitle = (id: string, { name }: Pick<SessionDescription, "name">): string =>
	name === null ? `Session ${id.slice(0, 40)}` : `Session "${name}"`;
