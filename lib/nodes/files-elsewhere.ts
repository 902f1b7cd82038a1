/**
 * Reads videos and attachments on the disks of other dashboards for a caller of this one: in ranges, by calls to the address that serves
 * such a file, with the caller's own credentials.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { CLIENT_ADDRESS_HEADER } from "#lib/auth/sign-in/client-address.ts";
import type { FilesElsewhere } from "#lib/recordings/playback/serve-zip.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { ObjectFile } from "#lib/s3/object-file.ts";
import { nodeOfAttachment, nodeOfVideo } from "./files-at.ts";
import { endUnanswered, notReachable, openCall, type Passing, type SignedCall } from "./forward.ts";

interface Answer {
	status: number;
	headers: IncomingHttpHeaders;
	/** The bytes of a range; empty otherwise. */
	body: Buffer;
}

/** @param req the call that needs the files. */
export function filesElsewhere(app: Passing, ctx: RecordingContext, req: IncomingMessage): FilesElsewhere {
	const { authorization, cookie, [CLIENT_ADDRESS_HEADER]: address } = req.headers;
	const caller = { authorization, cookie, [CLIENT_ADDRESS_HEADER]: address };
	return {
		async find(of) {
			const here = { db: ctx.db, node: app.node };
			const isVideo = "recordingId" in of;
			const nodeId = await (isVideo ? nodeOfVideo(here, of) : nodeOfAttachment(here, of.attachmentId));
			if (nodeId === null) return null;
			const path = isVideo ? `/v1/recordings/${of.recordingId}/video` : `/v1/attachments/${of.attachmentId}`;
			const url = `${path}?organizationId=${ctx.actor.organizationId}`;
			const { status, headers } = await callNode(app, nodeId, { method: "HEAD", url, headers: caller });
			if (status === 404) return null;
			if (status !== 200) throw notReachable();
			const size = Number(headers["content-length"]);
			const read = async (path: string, start: number, end: number) => {
				const call = { method: "GET", url: path, headers: { ...caller, range: `bytes=${start}-${end - 1}` } };
				const part = await callNode(app, nodeId, call);
				if (part.headers["content-range"] === `bytes ${start}-${end - 1}/${size}`) return part.body;
				throw new Error(`${path} at another dashboard answered ${part.status} to ${call.headers.range} of ${size}.`);
			};
			return { size, open: () => new ObjectFile({ read }, url, size) };
		},
	};
}

/** Makes a call for a caller. @throws unavailable if the dashboard does not run, or gives no whole answer in time. */
function callNode(app: Passing, nodeId: string, call: SignedCall): Promise<Answer> {
	const to = app.node?.urlOf(nodeId);
	if (to === undefined) throw notReachable();
	const { authorization, cookie, range } = call.headers;
	const sent = Object.entries({ host: new URL(to).host, authorization, cookie, range }).flatMap(([name, value]) =>
		value === undefined ? [] : [name, value],
	);
	app.metrics.passedOn();
	return new Promise((resolve, reject) => {
		const request = openCall(to, app.callSigner, call, sent);
		const unwatch = endUnanswered(request, () => app.node?.urlOf(nodeId) === undefined);
		request.on("close", unwatch);
		request.on("response", (response) => {
			const { statusCode: status = 502, headers } = response;
			// Only the body of a 206 response is needed, and is known to be short.
			if (status !== 206 && call.method !== "HEAD") response.destroy();
			const body = status === 206 ? buffer(response) : Promise.resolve(Buffer.alloc(0));
			body.then((body) => resolve({ status, headers, body })).catch(() => reject(notReachable()));
			if (call.method === "HEAD") response.resume();
		});
		request.on("error", (error: NodeJS.ErrnoException) => {
			// A connection that the other dashboard has just closed, because it was idle, says nothing about it.
			const wasIdle = request.reusedSocket && error.code === "ECONNRESET";
			if (wasIdle) resolve(callNode(app, nodeId, call));
			else reject(notReachable());
		});
		request.end();
	});
}
