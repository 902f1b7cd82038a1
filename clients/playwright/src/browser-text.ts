/** Texts and calls of pages, without secrets, and cut to the length of a line of a track. */
import type { SecretMask } from "@tapedeck/client";
import { cutText } from "./text.ts";

/** Maximum size of a text, and of an address or a name, in bytes: one and two of them fit into a line of 16 KiB. */
const MAX_TEXT_BYTES = 10 * 1024;
const MAX_NAME_BYTES = 2 * 1024;
/** Longer text is cut before it is searched for secrets. */
const MAX_CHARACTERS = 64 * 1024;

/** A message or a stack. */
export const safeText = (text: string, mask: SecretMask): string => cutText(masked(text, mask), MAX_TEXT_BYTES);

export const safeUrl = (url: string, mask: SecretMask): string => cutText(masked(url, mask), MAX_NAME_BYTES);

/** The name of a test, where what looks like a header is none. */
export const safeName = (name: string, mask: SecretMask): string => cutText(mask.applyToName(name), MAX_NAME_BYTES);

/** Masked before it is cut to its length: what is left of a secret would not be recognized. */
const masked = (text: string, mask: SecretMask): string =>
	text.length > MAX_CHARACTERS ? mask.applyToCut(text.slice(0, MAX_CHARACTERS)) : mask.apply(text);
