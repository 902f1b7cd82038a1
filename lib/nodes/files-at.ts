/** Finds the dashboard that has the files of a video, and passes calls that need them on to it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { hashSecret } from "#lib/core/secret-box.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { forward, notReachable, type Passing } from "./forward.ts";

/**
 * A video or an attachment, identified by a parameter of the call. An upload's requests make the dashboard that receives
 * them its holder.
 */
export type FilesOf =
	| { uploadId: string }
	| { recordingId: number }
	| { shareToken: string }
	| { attachmentId: number };

type Here = Passing & Pick<RecordingContext, "db" | "leases">;

/** Calls that another dashboard passed on. They are never passed on again. */
const forwarded = new WeakSet<IncomingMessage>();

export const noteForwarded = (req: IncomingMessage): void => void forwarded.add(req);
export const isForwarded = (req: IncomingMessage): boolean => forwarded.has(req);

/**
 * Answers a call that needs a video's files, if another dashboard has them.
 * @param files identifies the video; null if the call needs none.
 * @param streams whether the response may last long.
 * @returns false if the files are here, or the call needs none.
 * @throws unavailable if the other dashboard cannot be reached.
 */
export async function answerElsewhere(
	app: Here,
	files: FilesOf | null,
	streams: boolean,
	req: IncomingMessage,
	res: ServerResponse,
): Promise<boolean> {
	const { node } = app;
	if (node === null || files === null || ("uploadId" in files && app.leases.isHeld(files.uploadId))) return false;
	const place = await locate(app, files);
	if (place === null) return false;
	const notThere = () => {
		if ("uploadId" in files) app.leases.forget(files.uploadId);
	};
	const url = node.urlOf(place);
	if (url === undefined) notThere();
	// An upload whose dashboard does not run is continued here, if this dashboard may take it.
	if (url === undefined && "uploadId" in files) return false;
	if (url === undefined || isForwarded(req)) throw notReachable();
	const { stopping } = app;
	app.metrics.passedOn();
	try {
		await forward(url, app.callSigner, req, res, {
			streams,
			signal: stopping,
			isGone: () => node.urlOf(place) === undefined,
		});
	} catch (error) {
		notThere();
		throw error;
	}
	if (res.statusCode === 503) notThere();
	return true;
}

/** @returns the id of another node; null if the files are here, or nowhere yet. */
async function locate(app: Here, files: FilesOf): Promise<string | null> {
	if ("uploadId" in files) {
		const place = await app.leases.find(files.uploadId);
		return typeof place === "string" ? null : place.nodeId;
	}
	return "attachmentId" in files ? nodeOfAttachment(app, files.attachmentId) : nodeOfVideo(app, files);
}

/** @returns the id of another node that has an attachment on its disk; null if none has. */
export async function nodeOfAttachment(app: Pick<Here, "db" | "node">, attachmentId: number): Promise<string | null> {
	const lease = await app.db
		.selectFrom("uploadLease")
		.select("uploadLease.nodeId")
		.innerJoin("attachment", "attachment.uploadId", "uploadLease.uploadId")
		.where("attachment.objectKey", "is", null)
		.where("attachment.id", "=", attachmentId)
		.executeTakeFirst();
	return lease === undefined || lease.nodeId === app.node?.id ? null : lease.nodeId;
}

/** @returns the id of another node that has a recording's video on its disk; null if none has. */
export async function nodeOfVideo(
	app: Pick<Here, "db" | "node">,
	files: Exclude<FilesOf, { uploadId: string } | { attachmentId: number }>,
): Promise<string | null> {
	const found = app.db
		.selectFrom("uploadLease")
		.select("uploadLease.nodeId")
		.innerJoin("recording", "recording.uploadId", "uploadLease.uploadId")
		// Every dashboard can read the bucket.
		.where("recording.objectKey", "is", null);
	const lease =
		"recordingId" in files
			? await found.where("recording.id", "=", files.recordingId).executeTakeFirst()
			: await found
					.innerJoin("shareLink", "shareLink.recordingId", "recording.id")
					.where("shareLink.hash", "=", hashSecret(files.shareToken))
					.executeTakeFirst();
	return lease === undefined || lease.nodeId === app.node?.id ? null : lease.nodeId;
}
