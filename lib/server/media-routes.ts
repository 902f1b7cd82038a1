/** The routes that carry video: uploads, playing, live, posters. */
import * as z from "zod";
import { signatureParams } from "../contract/link.ts";
import {
	frameQuerySchema,
	liveQuerySchema,
	posterQuerySchema,
	posterSizeQuerySchema,
	recordingSchema,
	uploadRecordingQuerySchema,
	videoQuerySchema,
} from "../contract/recording.ts";
import { JOB_KEY_HEADER, SESSION_HEADER } from "../contract/runner-protocol.ts";
import { putPoster, servePoster } from "../recordings/pictures/poster.ts";
import { UploadReceiver } from "../recordings/receive.ts";
import { serveLive, serveVideo } from "../recordings/playback/serve-video.ts";
import { serveFrame } from "../recordings/pictures/storyboard.ts";
import { uploadRecording } from "../recordings/upload/upload-recording.ts";
import type { AppContext } from "./app-context.ts";
import { bySignature } from "./link-routes.ts";
import { pathId } from "./route-definition.ts";
import type { StreamCall, StreamRoute } from "./stream-route.ts";

/** Why a file is not taken: it is too large, or there is no room on the disk or in the organization. */
const NO_PLACE = ["payload_too_large", "insufficient_storage", "quota_exceeded"] as const;

const recordingParams = z.object({ recordingId: pathId });

/** @returns the media routes of one process; the receiver of uploads is one a process. */
export function mediaRoutes(app: AppContext): StreamRoute[] {
	return [...playing, uploading, poster, ...tusRoutes(new UploadReceiver(app))];
}

const playing: StreamRoute[] = [
	{
		method: "GET",
		path: "/v1/recordings/:recordingId/video",
		definition: {
			uncounted: true,
			summary: "Play or download a recording: Range, ETag and HEAD are understood.",
			scope: "recordings:read",
			params: recordingParams,
			query: videoQuerySchema.extend(signatureParams),
			answers: { 200: null, 206: null, 304: null, 416: null },
		},
		byLink: bySignature,
		handler: ({ ctx, params, query, req, res }) =>
			serveVideo(ctx, { recordingId: params.recordingId, download: query.download === "1", req, res }),
	},
	{
		method: "GET",
		path: "/v1/recordings/:recordingId/live",
		definition: {
			endless: true,
			summary: "Follow a recording while it is made, as fragmented MP4 for Media Source Extensions.",
			scope: "recordings:read",
			params: recordingParams,
			query: liveQuerySchema,
			answers: { 200: null },
		},
		handler: ({ ctx, params, query, req, res, signal }) =>
			serveLive(ctx, { recordingId: params.recordingId, from: query.from, req, res, signal }),
	},
	{
		method: "GET",
		path: "/v1/recordings/:recordingId/poster",
		definition: {
			uncounted: true,
			summary: "A still picture of a recording, as JPEG; with size=full its first frame, as large as the video.",
			scope: "recordings:read",
			params: recordingParams,
			query: posterSizeQuerySchema.extend(signatureParams),
			answers: { 200: null, 304: null },
		},
		byLink: bySignature,
		handler: ({ ctx, params, query, req, res }) =>
			servePoster(ctx, { recordingId: params.recordingId, full: query.size === "full", req, res }),
	},
	{
		method: "GET",
		path: "/v1/recordings/:recordingId/frame",
		definition: {
			uncounted: true,
			summary: "A picture of a recording at a time in seconds, as JPEG: the last one at or before it.",
			scope: "recordings:read",
			params: recordingParams,
			query: frameQuerySchema,
			answers: { 200: null, 304: null },
		},
		handler: ({ ctx, params, query, req, res, signal }) =>
			serveFrame(ctx, { recordingId: params.recordingId, at: query.at, req, res, signal }),
	},
];

const uploading: StreamRoute = {
	method: "POST",
	path: "/v1/recordings",
	definition: {
		summary: "Upload a video that was made elsewhere; the body is the MP4 or WebM file.",
		scope: "recordings:write",
		audit: ["recording.uploaded"],
		fileBody: true,
		query: uploadRecordingQuerySchema,
		refusals: NO_PLACE,
		answers: { 201: recordingSchema },
	},
	handler: async ({ ctx, query, req, res }) => {
		const recording = await uploadRecording(ctx, query.name, req);
		const body = JSON.stringify(recording);
		res.writeHead(201, {
			"content-type": "application/json",
			"content-length": Buffer.byteLength(body),
			"cache-control": "no-store",
			location: `/v1/recordings/${recording.id}`,
		});
		res.end(body);
	},
};

const poster: StreamRoute = {
	method: "PUT",
	path: "/v1/runner/jobs/:jobId/poster",
	definition: {
		summary:
			"Replace the still picture of a job's recording (JPEG, at most 1 MiB); at says its second for the storyboard.",
		actors: ["runner"],
		audit: { none: "A picture of a recording under way." },
		params: z.object({ jobId: pathId }),
		query: posterQuerySchema,
		answers: { 204: null },
	},
	handler: async ({ ctx, params, query, req, res }) => {
		const jobKey = headerOf(req.headers, JOB_KEY_HEADER);
		await putPoster(ctx, { jobId: params.jobId, jobKey, sessionId: sessionOf(req.headers), at: query.at, req });
		res.writeHead(204).end();
	},
};

function tusRoutes(receiver: UploadReceiver): StreamRoute[] {
	const definition = {
		actors: ["user", "apiKey", "runner"],
		scope: "recordings:write",
		audit: ["recording.uploaded"],
		plainRefusals: true,
	} as const;
	const handler = ({ ctx, req, res }: StreamCall) => receiver.receive(ctx, req, res);
	const params = z.object({ uploadId: z.string().regex(/^[a-z0-9-]{1,64}$/) });
	const one = "/v1/uploads/:uploadId";
	const tus = (method: string, path: string, summary: string, status: number): StreamRoute => ({
		method,
		path,
		definition: {
			...definition,
			summary,
			...(method === "POST" || method === "PATCH" ? { refusals: NO_PLACE, fileBody: true } : {}),
			...(method === "DELETE" ? { audit: { none: "What is not whole was never a recording." } } : {}),
			answers: { [status]: null },
			...(path === one ? { params } : {}),
		},
		handler,
	});
	return [
		tus("OPTIONS", "/v1/uploads", "What of tus 1.0 is understood.", 204),
		tus("POST", "/v1/uploads", "Begin an upload (tus 1.0; creation, creation-defer-length).", 201),
		tus("OPTIONS", one, "What of tus 1.0 is understood.", 204),
		tus("HEAD", one, "How much of an upload is stored (tus 1.0).", 200),
		tus("PATCH", one, "Go on with an upload (tus 1.0).", 204),
		tus("DELETE", one, "End an upload and remove what is there of it (tus 1.0; termination).", 204),
	];
}

type Headers = Record<string, string | string[] | undefined>;

/** The session that a runner names in a header, where the body is something else. */
export const sessionOf = (headers: Headers): string | null => headerOf(headers, SESSION_HEADER);

function headerOf(headers: Headers, name: string): string | null {
	const value = headers[name];
	return typeof value === "string" ? value : null;
}
