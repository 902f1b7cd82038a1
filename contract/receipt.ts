/**
 * Receipts: what a dashboard states about a recording and its review cut, signed. An in-toto Statement with the predicate
 * test-result, in a DSSE envelope, so that tools of others verify it too.
 */
import * as z from "zod";
import { timestampSchema } from "./primitives.ts";

export const PAYLOAD_TYPE = "application/vnd.in-toto+json";
export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1";

/** A DSSE envelope. */
export const receiptSchema = z.object({
	payloadType: z.string(),
	/** The statement as JSON, in Base64. */
	payload: z.string(),
	signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** Public keys by their ids, in the form of TUF and securesystemslib. */
export const receiptKeysSchema = z.object({
	keys: z.record(
		z.string(),
		z.object({
			keytype: z.literal("ed25519"),
			scheme: z.literal("ed25519"),
			/** 32 bytes in hexadecimal digits. */
			keyval: z.object({ public: z.string().regex(/^[0-9a-f]{64}$/) }),
		}),
	),
});
export type ReceiptKeys = z.infer<typeof receiptKeysSchema>;

const range = z.object({ from: z.number(), to: z.number() });

/** Fields that this program adds to the predicate. Times are seconds of the recording unless they are timestamps. */
const recordedSchema = z.object({
	recording: z.object({
		id: z.int(),
		name: z.string(),
		durationSeconds: z.number(),
		startedAt: timestampSchema,
		endedAt: timestampSchema.nullable(),
	}),
	/** Null for a video that was uploaded. */
	recorder: z
		.object({
			runner: z.string(),
			version: z.string(),
			display: z.string(),
			/** The person, API key or runner that created the job; null if unknown. */
			requestedBy: z.string().nullable(),
		})
		.nullable(),
	commit: z.string().nullable(),
	labels: z.record(z.string(), z.string()),
	outcome: z.string().nullable(),
	outcomeFrom: z.string(),
	/** Moments from which on no frames were captured. */
	gaps: z.array(z.object({ at: z.number(), note: z.string() })),
	/** Stretches in which the recording is black on request; `to` is null if it is black to the end. */
	private: z.array(z.object({ from: z.number(), to: z.number().nullable() })),
	cut: z.object({
		seconds: z.number(),
		leftOut: z.array(range),
		faster: z.array(range.extend({ speed: z.number() })),
		markersWithoutCaption: z.int(),
	}),
	signedAt: timestampSchema,
});

export const statementSchema = z.object({
	_type: z.literal(STATEMENT_TYPE),
	subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })),
	predicateType: z.literal(PREDICATE_TYPE),
	predicate: z.object({
		result: z.enum(["PASSED", "WARNED", "FAILED"]),
		configuration: z.array(z.object({ name: z.string(), digest: z.record(z.string(), z.string()) })),
		/** The page that plays the whole recording. */
		url: z.string(),
		passedTests: z.array(z.string()),
		warnedTests: z.array(z.string()),
		failedTests: z.array(z.string()),
		tapedeck: recordedSchema,
	}),
});
export type Statement = z.infer<typeof statementSchema>;

/** Names of the subjects. */
export const CUT_SUBJECT = "proof.mp4";
export const GIF_SUBJECT = "proof.gif";
export const RECORDING_SUBJECT = "recording";

/** Returns the bytes that DSSE signs: the payload's type and its bytes, each with its length, so that neither can be taken for the other. */
export function signedBytes(payloadType: string, payload: Uint8Array): Uint8Array {
	const encoder = new TextEncoder();
	const head = encoder.encode(`DSSEv1 ${encoder.encode(payloadType).length} ${payloadType} ${payload.length} `);
	const all = new Uint8Array(head.length + payload.length);
	all.set(head);
	all.set(payload, head.length);
	return all;
}
