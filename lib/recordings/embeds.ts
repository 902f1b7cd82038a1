/** Shared pages within other pages: what a chat or a wiki shows instead of a link (oEmbed 1.0, Open Graph). */
import { type Embed, SHARE_TOKEN, type SharedRecording, sharedTitle } from "@tapedeck/contract/link.ts";
import { notFound } from "#lib/core/errors.ts";

/** The size of a video that has none of its own, and the most that a page gives to one. */
const DEFAULT_SIZE = { width: 1_280, height: 720 };
/** The title and the edges of a shared page, beside its video. */
const PAGE_HEIGHT = 140;
/** A link may be revoked at any time. */
const CACHE_SECONDS = 300;

/**
 * The token of the shared page that an address leads to.
 * @param baseUrl the dashboard's: addresses of others are not known here.
 * @throws not_found
 */
export function sharedTokenIn(address: string, baseUrl: string): string {
	const url = URL.parse(address);
	const token =
		url === null || url.origin !== new URL(baseUrl).origin ? null : /^\/shared\/([^/]+)$/.exec(url.pathname);
	if (token?.[1] === undefined || !SHARE_TOKEN.test(token[1])) throw notFound("shared page");
	return token[1];
}

interface EmbedOptions {
	/** The address that was asked for, with its moment. */
	url: string;
	maxwidth?: number | undefined;
	maxheight?: number | undefined;
	baseUrl: string;
	/** Whether pages of other origins may show it in a frame. */
	isFramed: boolean;
}

/** Embedding of a shared page in another page (oEmbed). */
export function embedOf(shared: SharedRecording, { url, maxwidth, maxheight, baseUrl, isFramed }: EmbedOptions): Embed {
	const own = { width: shared.width ?? DEFAULT_SIZE.width, height: shared.height ?? DEFAULT_SIZE.height };
	const picture = within(own, { width: maxwidth ?? own.width, height: maxheight ?? own.height });
	const base = {
		...({ version: "1.0", provider_name: "Tapedeck", provider_url: baseUrl, cache_age: CACHE_SECONDS } as const),
		title: sharedTitle(shared),
		thumbnail_url: shared.pictureUrl,
		thumbnail_width: picture.width,
		thumbnail_height: picture.height,
	};
	if (!isFramed) return { type: "link", ...base };
	const most = { width: maxwidth ?? DEFAULT_SIZE.width, height: (maxheight ?? 100_000) - PAGE_HEIGHT };
	const video = within(own, { width: most.width, height: Math.max(1, most.height) });
	const { width, height } = { width: video.width, height: Math.min(video.height + PAGE_HEIGHT, maxheight ?? 100_000) };
	const html = `<iframe src="${escaped(url)}" width="${width}" height="${height}" title="${escaped(base.title)}" style="border:0" allowfullscreen></iframe>`;
	return { type: "video", ...base, html, width, height };
}

/** The largest size with the same proportions that fits. */
function within(size: { width: number; height: number }, most: { width: number; height: number }) {
	const scale = Math.min(1, most.width / size.width, most.height / size.height);
	return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) };
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
