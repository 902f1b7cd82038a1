/** Recordings: the videos. */
import { type DownloadOptions, download } from "./download.ts";
import type { CallOptions, Http } from "./http.ts";
import type { PageFilter } from "./jobs.ts";
import { List } from "./list.ts";
import type {
	CreateRecordingMarker,
	CreateShareLink,
	Marker,
	MarkerList,
	NewShareLink,
	operations,
	Recording,
	ShareLinkList,
	SignedUrl,
	UpdateRecording,
} from "./openapi.ts";

export type RecordingFilter = NonNullable<operations["listRecordings"]["parameters"]["query"]>;

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
	 * connection breaks, the body goes on where it ended.
	 */
	download(recordingId: number, options: DownloadOptions = {}): ReturnType<typeof download> {
		return download(this.#http, `/v1/recordings/${recordingId}/video`, options);
	}

	/**
	 * Makes a page that shows the video to everyone who has its `url`, which is returned this once.
	 * @param body.expiresAt null for a link that never expires.
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
