import { PREDICATE_TYPE, STATEMENT_TYPE, type Statement } from "@tapedeck/contract/receipt.ts";
import { expect, test } from "vitest";
import { ReceiptSigner } from "../../../lib/recordings/receipts/receipt-signer.ts";
import { inWords, readReceipt, subjectOf, verifiedStatement } from "./receipt-check.ts";

const AT = "2026-11-28T20:00:00.000Z";
const STATEMENT: Statement = {
	_type: STATEMENT_TYPE,
	subject: [
		{ name: "proof.mp4", digest: { sha256: "a".repeat(64) } },
		{ name: "recording", digest: { sha256: "b".repeat(64) } },
	],
	predicateType: PREDICATE_TYPE,
	predicate: {
		...{ result: "FAILED", configuration: [], url: "https://tapedeck.example.com/recordings/12" },
		...{ passedTests: [], warnedTests: [], failedTests: ["Cart › empty"] },
		tapedeck: {
			recording: { id: 12, name: "Cart", durationSeconds: 2_400, startedAt: AT, endedAt: AT },
			recorder: { runner: "box", version: "0.2.0", display: ":99", requestedBy: "ci" },
			...{ commit: null, labels: {}, outcome: "failed", outcomeFrom: "Outcome set to failed by ci." },
			gaps: [{ at: 60, note: "No frame captured for 2 s" }],
			private: [{ from: 90, to: null }],
			cut: { seconds: 60, leftOut: [{ from: 100, to: 2_100 }], faster: [], markersWithoutCaption: 0 },
			signedAt: AT,
		},
	},
};
const signer = new ReceiptSigner(["1".repeat(64), "2".repeat(64)]);
const receipt = signer.sign(STATEMENT);

test("a receipt says who recorded what, its gaps, what is black and left out, and what it does not prove", () => {
	const statement = verifiedStatement(readReceipt(JSON.stringify(receipt), "r.json"), signer.publicKeys(), "the keys");
	expect(statement).toEqual(STATEMENT);
	expect(
		inWords(statement, subjectOf(statement, "b".repeat(64), "video.mp4"), "video.mp4", "the keys").split("\n"),
	).toEqual([
		`video.mp4 is the whole of recording 12 "Cart", unchanged. It was signed on ${AT} with a key of the keys.`,
		`Runner box (0.2.0) recorded display :99 for ci from ${AT} to ${AT}: 40:00.`,
		"No commit was named.",
		"Outcome: failed. Outcome set to failed by ci.",
		"Gaps: No frame captured for 2 s at 1:00.",
		"Black on request: 1:30 to the end.",
		"The cut leaves out 33:20 without change, and shows nothing faster than it was.",
		"The whole recording: https://tapedeck.example.com/recordings/12",
		"It does not prove that what the display showed was real, or that it showed this commit.",
	]);
});

test("a receipt of a replaced key is verified as long as that key is published", () => {
	const older = new ReceiptSigner(["2".repeat(64)]).sign(STATEMENT);
	expect(verifiedStatement(older, signer.publicKeys(), "the keys")).toEqual(STATEMENT);
});

test("a receipt proves nothing about other files, when it was changed, or without a key that has signed it", () => {
	expect(() => subjectOf(STATEMENT, "c".repeat(64), "video.mp4")).toThrow(
		"video.mp4 is not what the receipt is about: it was changed, or the receipt is of another recording.",
	);
	const payload = Buffer.from(JSON.stringify(STATEMENT).replace("FAILED", "PASSED")).toString("base64");
	const changed = "The receipt was changed after the dashboard had signed it.";
	expect(() => verifiedStatement({ ...receipt, payload }, signer.publicKeys(), "the keys")).toThrow(changed);
	const typed = { ...receipt, payloadType: "text/plain" };
	expect(() => verifiedStatement(typed, signer.publicKeys(), "the keys")).toThrow(changed);
	const { keys } = new ReceiptSigner(["3".repeat(64)]).publicKeys();
	const [other] = Object.values(keys);
	expect(() => verifiedStatement(receipt, { keys }, "the keys")).toThrow("is not signed with a key of the keys");
	const pretended = Object.fromEntries(
		receipt.signatures.map(({ keyid }) => [keyid, other as NonNullable<typeof other>]),
	);
	expect(() => verifiedStatement(receipt, { keys: pretended }, "the keys")).toThrow(changed);
	expect(() => readReceipt('{"payload": 1}', "r.json")).toThrow("r.json is no receipt");
});
