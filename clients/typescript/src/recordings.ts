/** Recordings: the videos. */
import { type DownloadOptions, download } from "./download.ts";
import type { CallOptions, Http } from "./http.ts";
import type { PageFilter } from "./jobs.ts";
import { List } from "./list.ts";
import type {
	CreateRecordingMarker,
	CreateShareLink,
	GetRecordingClipQuery,
	GetRecordingDigestQuery,
	GetRecordingProofQuery,
	ListRecordingsQuery,
	Marker,
	MarkerList,
	NewShareLink,
	Receipt,
	Recording,
	ShareLinkList,
	SignedUrl,
	UpdateRecording,
	UploadRecordingQuery,
} from "./openapi.ts";
import { isLarge, sendByTus } from "./tus.ts";

/** Encoding a long clip takes a while, and others may be made before it. */
const CLIP_TIMEOUT_MS = 240_000;
const UPLOAD_TIMEOUT_MS = 10 * 60_000;
/** Wider than any video. */
const FULL_WIDTH = 8_192;

export type ClipOptions = Omit<GetRecordingClipQuery, "organizationId">;

export type DigestOptions = Pick<GetRecordingDigestQuery, "maxTokens" | "frames">;

export interface Clip {
	bytes: Uint8Array<ArrayBuffer>;
	/** `video/mp4` or `image/gif`. */
	contentType: string;
	/** The seconds of the recording in the clip, which may begin a little earlier than requested. */
	from: number;
	to: number;
}

export type ProofOptions = Omit<GetRecordingProofQuery, "organizationId">;

export type UploadOptions = UploadRecordingQuery;

export type RecordingFilter = ListRecordingsQuery;

export class Recordings {
	readonly #http: Http;
	constructor(http: Http) {
		this.#http = http;
	}

	/** Recordings, by default the newest first. */
	list(filter: RecordingFilter = {}, options: CallOptions = {}): List<Recording> {
		return new List(
			(cursor) => this.#http.call("GET", "/v1/recordings", { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	get(recordingId: number, options: CallOptions = {}): Promise<Recording> {
		return this.#http.call("GET", `/v1/recordings/${recordingId}`, options);
	}

	/**
	 * Uploads a video in MP4 or WebM. In Node, `openAsBlob(path, { type: "video/webm" })` of `node:fs` reads it while it is sent.
	 * @param query.testResultId makes it the video of this result, whose first frame was shown at `startedAt`.
	 */
	async upload(file: Blob, query: UploadOptions, options: CallOptions = {}): Promise<Recording> {
		if (isLarge(file)) {
			const { label = [], organizationId: _, ...rest } = query;
			const pairs = label.map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]);
			const labels = pairs.length === 0 ? undefined : JSON.stringify(Object.fromEntries(pairs));
			const metadata = { ...rest, labels, filetype: file.type || undefined };
			const id = await sendByTus(this.#http, file, metadata, "tapedeck-recording", options);
			if (id !== null) return this.get(id, options);
		}
		const headers = { "content-type": file.type || "application/octet-stream" };
		const upload = { query, headers, bytes: file, timeoutMs: UPLOAD_TIMEOUT_MS };
		return this.#http.call("POST", "/v1/recordings", { ...options, ...upload });
	}

	/** Changes name, labels, outcome, keep or pinned, also of its job. */
	update(recordingId: number, body: UpdateRecording, options: CallOptions = {}): Promise<Recording> {
		return this.#http.call("PATCH", `/v1/recordings/${recordingId}`, { ...options, body });
	}

	/** Deletes the recording and its file. */
	async delete(recordingId: number, options: CallOptions = {}): Promise<void> {
		await this.#http.call("DELETE", `/v1/recordings/${recordingId}`, options);
	}

	/**
	 * Downloads the video, such as `writeFile("run.mp4", (await client.recordings.download(12)).body)`. When the
	 * connection breaks, the body continues where it ended.
	 */
	download(recordingId: number, options: DownloadOptions = {}): ReturnType<typeof download> {
		return download(this.#http, `/v1/recordings/${recordingId}/video`, options);
	}

	/**
	 * Gets a part of the video as a small file that plays everywhere, by default around its first failure, such as
	 * `writeFile("clip.mp4", (await client.recordings.clip(12, { from: 60, to: 75 })).bytes)`.
	 */
	async clip(recordingId: number, clip: ClipOptions = {}, options: CallOptions = {}): Promise<Clip> {
		const path = `/v1/recordings/${recordingId}/clip`;
		const answer = await this.#http.open("GET", path, { ...options, query: clip, timeoutMs: CLIP_TIMEOUT_MS });
		const [from = Number.NaN, to = Number.NaN] = (answer.headers.get("tapedeck-clip") ?? "").split("-").map(Number);
		const bytes = new Uint8Array(await answer.arrayBuffer());
		return { bytes, contentType: answer.headers.get("content-type") ?? "video/mp4", from, to };
	}

	/**
	 * A review cut of the whole video, as MP4 or GIF: stretches without change are shortened to a second, markers and steps are
	 * captions and chapters, and the failure comes last.
	 */
	async proof(
		recordingId: number,
		proof: ProofOptions = {},
		options: CallOptions = {},
	): Promise<Uint8Array<ArrayBuffer>> {
		const path = `/v1/recordings/${recordingId}/proof`;
		const answer = await this.#http.open("GET", path, { ...options, query: proof, timeoutMs: CLIP_TIMEOUT_MS });
		return new Uint8Array(await answer.arrayBuffer());
	}

	/**
	 * A receipt that the dashboard has signed: an in-toto Statement over the SHA-256 of the cut and of the whole recording, in
	 * a DSSE envelope. The same options as of `proof` name the same cut.
	 */
	receipt(recordingId: number, proof: ProofOptions = {}, options: CallOptions = {}): Promise<Receipt> {
		const path = `/v1/recordings/${recordingId}/proof/receipt`;
		return this.#http.call("GET", path, { ...options, query: proof, timeoutMs: CLIP_TIMEOUT_MS });
	}

	/**
	 * The frame that the video shows at a moment, as JPEG.
	 * @param at seconds from the beginning, or `failure` for the moment of the first failure.
	 * @param options.width in pixels, at most the video's own, which is the default.
	 */
	async frame(
		recordingId: number,
		at: number | "failure",
		{ width = FULL_WIDTH, ...options }: CallOptions & { width?: number } = {},
	): Promise<Uint8Array<ArrayBuffer>> {
		const query = { ...(at === "failure" ? { of: at } : { at }), width };
		const timeoutMs = CLIP_TIMEOUT_MS;
		const answer = await this.#http.open("GET", `/v1/recordings/${recordingId}/frame`, {
			...options,
			query,
			timeoutMs,
		});
		return new Uint8Array(await answer.arrayBuffer());
	}

	/** Gets a summary of the recording as Markdown of about `maxTokens` at most, for a chat or an agent. */
	async digest(recordingId: number, digest: DigestOptions = {}, options: CallOptions = {}): Promise<string> {
		const path = `/v1/recordings/${recordingId}/digest`;
		return (await this.#http.open("GET", path, { ...options, query: digest, timeoutMs: CLIP_TIMEOUT_MS })).text();
	}

	/** The frames that the digest names in one JPEG, from left to right and from top to bottom. */
	async sheet(
		recordingId: number,
		{ frames }: Pick<DigestOptions, "frames"> = {},
		options: CallOptions = {},
	): Promise<Uint8Array<ArrayBuffer>> {
		const path = `/v1/recordings/${recordingId}/digest`;
		const query = { part: "sheet", frames };
		const answer = await this.#http.open("GET", path, { ...options, query, timeoutMs: CLIP_TIMEOUT_MS });
		return new Uint8Array(await answer.arrayBuffer());
	}

	/**
	 * Makes a link for everyone who has its `url`, which is returned only this once. It opens a page that plays the video
	 * or, with `opens`, only one clip or one frame of it.
	 * @param body.expiresAt null for a link that never expires.
	 * @param body.include the parts that the page shows in addition to the video and its markers.
	 */
	share(recordingId: number, body: CreateShareLink, options: CallOptions = {}): Promise<NewShareLink> {
		return this.#http.call("POST", `/v1/recordings/${recordingId}/links`, { ...options, body });
	}

	links(recordingId: number, options: CallOptions = {}): Promise<ShareLinkList> {
		return this.#http.call("GET", `/v1/recordings/${recordingId}/links`, options);
	}

	async revokeLink(recordingId: number, linkId: number, options: CallOptions = {}): Promise<void> {
		await this.#http.call("DELETE", `/v1/recordings/${recordingId}/links/${linkId}`, options);
	}

	/** URLs of the video and its poster that need no credentials until they expire. */
	signedUrl(
		recordingId: number,
		{ expiresInSeconds, ...options }: CallOptions & { expiresInSeconds?: number } = {},
	): Promise<SignedUrl> {
		return this.#http.call("GET", `/v1/recordings/${recordingId}/url`, { ...options, query: { expiresInSeconds } });
	}

	markers(recordingId: number, filter: PageFilter = {}, options: CallOptions = {}): List<Marker> {
		const path = `/v1/recordings/${recordingId}/markers`;
		return new List(
			(cursor) => this.#http.call("GET", path, { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	/** Names a position in the video. */
	addMarker(recordingId: number, body: CreateRecordingMarker, options: CallOptions = {}): Promise<Marker> {
		return this.#http.call("POST", `/v1/recordings/${recordingId}/markers`, { ...options, body });
	}

	/**
	 * Names up to 500 positions in one call: all, or none if one is not valid.
	 * @returns the markers in the order of `markers`.
	 */
	async addMarkers(
		recordingId: number,
		markers: readonly CreateRecordingMarker[],
		options: CallOptions = {},
	): Promise<Marker[]> {
		const path = `/v1/recordings/${recordingId}/markers/batch`;
		return (await this.#http.call<MarkerList>("POST", path, { ...options, body: { markers } })).data;
	}

	async deleteMarker(recordingId: number, markerId: number, options: CallOptions = {}): Promise<void> {
		await this.#http.call("DELETE", `/v1/recordings/${recordingId}/markers/${markerId}`, options);
	}
}
