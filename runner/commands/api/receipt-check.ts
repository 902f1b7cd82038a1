/** Checks a receipt of a dashboard, and says in words what it proves. */

import { createPublicKey, verify } from "node:crypto";
import {
	PAYLOAD_TYPE,
	RECORDING_SUBJECT,
	type Receipt,
	type ReceiptKeys,
	receiptSchema,
	type Statement,
	signedBytes,
	statementSchema,
} from "@tapedeck/contract/receipt.ts";
import { formatDuration, formatPosition } from "@tapedeck/contract/video-time.ts";
import { CommandError } from "../command.ts";

/** Header of a public key of 32 bytes as SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** @throws CommandError if the text is no receipt. */
export function readReceipt(text: string, file: string): Receipt {
	try {
		return receiptSchema.parse(JSON.parse(text));
	} catch {
		throw new CommandError("not_a_receipt", `${file} is no receipt of a Tapedeck dashboard.`);
	}
}

/**
 * @param from where the keys are from, for messages.
 * @throws CommandError if none of the keys has signed it, or it was changed since.
 */
export function verifiedStatement({ payload, payloadType, signatures }: Receipt, { keys }: ReceiptKeys, from: string) {
	const signature = signatures.find(({ keyid }) => Object.hasOwn(keys, keyid));
	const key = keys[signature?.keyid ?? ""]?.keyval.public;
	if (signature === undefined || key === undefined) {
		throw new CommandError(
			"unknown_key",
			`The receipt is not signed with a key of ${from}: it is of another dashboard, or its secret key was replaced since.`,
		);
	}
	const bytes = Buffer.from(payload, "base64");
	const publicKey = createPublicKey({
		key: Buffer.concat([SPKI_HEAD, Buffer.from(key, "hex")]),
		format: "der",
		type: "spki",
	});
	const isSigned = verify(null, signedBytes(payloadType, bytes), publicKey, Buffer.from(signature.sig, "base64"));
	if (!isSigned || payloadType !== PAYLOAD_TYPE) {
		throw new CommandError("changed_receipt", "The receipt was changed after the dashboard had signed it.");
	}
	return statementSchema.parse(JSON.parse(bytes.toString()));
}

/** @returns the name of what the file is. @throws CommandError if the receipt is of other files. */
export function subjectOf({ subject }: Statement, sha256: string, file: string): string {
	const found = subject.find(({ digest }) => digest.sha256 === sha256);
	if (found !== undefined) return found.name;
	throw new CommandError(
		"other_file",
		`${file} is not what the receipt is about: it was changed, or the receipt is of another recording.`,
	);
}

/** @param name as `subjectOf` returns it. */
export function inWords({ predicate }: Statement, name: string, file: string, from: string): string {
	const { recording, recorder, commit, outcome, outcomeFrom, gaps, cut, ...rest } = predicate.tapedeck;
	const what = name === RECORDING_SUBJECT ? "the whole of" : "the review cut of";
	const leftOut = lengthOf(cut.leftOut);
	const faster = cut.faster.length === 0 ? "nothing" : formatDuration(lengthOf(cut.faster));
	const forWhom = recorder?.requestedBy == null ? "" : ` for ${recorder.requestedBy}`;
	const ends = recording.endedAt === null ? "" : ` to ${recording.endedAt}`;
	return [
		`${file} is ${what} recording ${recording.id} "${recording.name}", unchanged. It was signed on ${rest.signedAt} with a key of ${from}.`,
		recorder === null
			? `It was uploaded on ${recording.startedAt}; nobody knows by what it was recorded.`
			: `Runner ${recorder.runner} (${recorder.version}) recorded display ${recorder.display}${forWhom} from ${recording.startedAt}${ends}: ${formatDuration(recording.durationSeconds)}.`,
		commit === null ? "No commit was named." : `Its label commit says ${commit}.`,
		`Outcome: ${outcome ?? "none"}. ${outcomeFrom}`,
		gaps.length === 0
			? "No gap was noticed."
			: `Gaps: ${gaps.map(({ at, note }) => `${note} at ${formatPosition(at)}`).join("; ")}.`,
		rest.private.length === 0
			? "Nothing of it is black on request."
			: `Black on request: ${rest.private.map(({ from, to }) => `${formatPosition(from)} to ${to === null ? "the end" : formatPosition(to)}`).join("; ")}.`,
		`The cut leaves out ${formatDuration(leftOut)} without change, and shows ${faster} faster than it was.`,
		`The whole recording: ${predicate.url}`,
		"It does not prove that what the display showed was real, or that it showed this commit.",
	].join("\n");
}

const lengthOf = (ranges: readonly { from: number; to: number }[]): number =>
	ranges.reduce((sum, { from, to }) => sum + to - from, 0);
