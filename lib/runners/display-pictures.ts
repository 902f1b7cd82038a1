/**
 * Live pictures of displays, kept in this process's memory for a minute and never on disk.
 *
 * The dashboard never connects to a runner. A viewer's request goes out in the response to the runner's long poll, and
 * the runner uploads the picture. Viewers of the same display share one request. With several dashboards, these three
 * steps may happen at different ones: requests reach all of them by the event bus, pictures by an unlogged table.
 */

import { createHash } from "node:crypto";
import { PICTURE_WIDTH } from "@tapedeck/contract/runner.ts";
import type { WidePicture } from "@tapedeck/contract/runner-protocol.ts";
import { sql } from "kysely";
import { onAbort, onTimeout } from "#lib/core/call-signal.ts";
import type { Change, Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { postgresNow } from "#lib/db/dialect.ts";

/** A picture newer than this is reused instead of requesting another. */
const FRESH_MS = 1_500;
/** A request without a picture is sent again after this long, while someone still waits. */
const RETRY_MS = 1_200;
const KEPT_MS = 60_000;
/** Beyond this number or size, the oldest picture is dropped. */
const MAX_PICTURES = 500;
const MAX_KEPT_BYTES = 128 * 1024 * 1024;
/** The limit for pictures that were replaced. */
const MAX_EARLIER_BYTES = 64 * 1024 * 1024;
/** Different widths of one display that viewers wait for at once: each takes its runner an ffmpeg. */
const MAX_WIDTHS = 4;

/** A display, scaled to this many pixels in width. */
export type Shot = WidePicture;
export type TakenPicture = { jpeg: Buffer; ageMs: number };
/** @property etag changes with its bytes; without quotes. */
export type DisplayPicture = TakenPicture & { etag: string };

type Kept = { jpeg: Buffer; etag: string; takenAt: number; timer: NodeJS.Timeout };
type PictureRequest = {
	shot: Shot;
	/** The number of viewers that wait at this dashboard; 0 if all are at other dashboards. */
	waiting: number;
	/** The time until which viewers at other dashboards wait. */
	wantedUntil: number;
	sentAt: number | null;
	came: PromiseWithResolvers<void>;
};
/** The parts of the context that are shared with other dashboards on the same database. */
type Shared = Pick<Context, "db" | "events"> & { node: { readonly alone: boolean } };

/** Also the value of the column `displayId`. The name of a picture of the usual width is the display's id. */
const nameOf = ({ displayId, width }: Shot): string => (width === PICTURE_WIDTH ? displayId : `${displayId} ${width}`);
const keyOf = (runnerId: number, shot: Shot): string => `${runnerId} ${nameOf(shot)}`;

const etagOf = (jpeg: Buffer): string => createHash("sha256").update(jpeg).digest("base64url");

export class DisplayPictures {
	/** The newest pictures by runner and display, in order of arrival. */
	readonly #kept = new Map<string, Kept>();
	#keptBytes = 0;
	/** Earlier pictures that viewers may still have, by runner, display, width and ETag, in order of arrival. */
	readonly #earlier = new Map<string, Buffer>();
	#earlierBytes = 0;
	readonly #requests = new Map<number, Map<string, PictureRequest>>();
	readonly #shared: Shared | null;

	/** @param shared null if this is the only dashboard. */
	constructor(shared: Shared | null = null) {
		this.#shared = shared;
		shared?.events.subscribe((change) => {
			if (change.type === "picture_wanted") this.#wantedElsewhere(change.runnerId, change);
			if (change.type === "picture_taken") void this.#takenElsewhere(shared, change);
		});
	}

	/**
	 * The newest picture of a display: a fresh one if it arrives within `waitMs`, otherwise the last one.
	 *
	 * @param wake notifies the runner's long poll of the request.
	 * @param signal aborts when the caller disconnects or the server stops.
	 * @returns null if there is none from the past minute.
	 * @throws too_many_requests if viewers wait for as many other widths of the display as it sends at once.
	 */
	async watch(
		runnerId: number,
		shot: Shot,
		options: { waitMs: number; wake: () => void; signal: AbortSignal },
	): Promise<DisplayPicture | null> {
		await this.#readFresh(runnerId, shot);
		const known = this.#newest(runnerId, shot);
		if (known !== null && known.ageMs <= FRESH_MS) return known;
		this.#assertFewWidths(runnerId, shot);
		const request = this.#request(runnerId, shot);
		const over = Promise.withResolvers<void>();
		const removals = [onAbort(options.signal), onTimeout(options.waitMs)].map((subscribe) => subscribe(over.resolve));
		const again = setInterval(options.wake, RETRY_MS);
		request.waiting += 1;
		options.wake();
		await Promise.race([request.came.promise, over.promise]);
		clearInterval(again);
		for (const remove of removals) remove();
		request.waiting -= 1;
		if (request.waiting === 0) this.#forgetRequest(runnerId, request);
		return this.#newest(runnerId, shot);
	}

	/** The displays this runner must send now. Each is returned once, and again if no picture arrives. */
	takeRequests(runnerId: number): Shot[] {
		const now = performance.now();
		const due = [...(this.#requests.get(runnerId)?.values() ?? [])].filter(
			({ sentAt, waiting, wantedUntil }) =>
				(waiting > 0 || now < wantedUntil) && (sentAt === null || now - sentAt > RETRY_MS / 2),
		);
		for (const request of due) request.sentAt = now;
		return due.map(({ shot }) => shot);
	}

	/** A picture of the past minute that another one has replaced; null if there is none with this ETag. */
	earlier(runnerId: number, shot: Shot, etag: string): Buffer | null {
		return this.#earlier.get(`${keyOf(runnerId, shot)} ${etag}`) ?? null;
	}

	/** Stores a picture that the runner captured `ageMs` ago; it replaces the previous one. */
	async keep(runner: { id: number; organizationId: number }, shot: Shot, picture: TakenPicture): Promise<void> {
		this.#keep(runner.id, shot, picture);
		const shared = this.#shared;
		if (shared === null || shared.node.alone) return;
		await sql`insert into "displayPicture" ("runnerId", "displayId", jpeg, "takenAt")
			values (${runner.id}, ${nameOf(shot)}, ${picture.jpeg}, ${postgresNow} - ${Math.round(picture.ageMs)}::bigint)
			on conflict ("runnerId", "displayId") do update set jpeg = excluded.jpeg, "takenAt" = excluded."takenAt"`.execute(
			shared.db,
		);
		shared.events.publish({
			type: "picture_taken",
			organizationId: runner.organizationId,
			runnerId: runner.id,
			...shot,
		});
	}

	/** A viewer at some dashboard waits for a picture, and the runner may poll here. */
	#wantedElsewhere(runnerId: number, { displayId, width }: Shot): void {
		const request = this.#request(runnerId, { displayId, width });
		request.wantedUntil = performance.now() + 2 * RETRY_MS;
		setTimeout(
			() => {
				if (request.waiting === 0 && performance.now() >= request.wantedUntil) this.#forgetRequest(runnerId, request);
			},
			2 * RETRY_MS + 1,
		).unref();
	}

	async #takenElsewhere(shared: Shared, { runnerId, ...shot }: Change & { type: "picture_taken" }): Promise<void> {
		const request = this.#requests.get(runnerId)?.get(nameOf(shot));
		if (request === undefined) return;
		if (request.waiting === 0) return this.#forgetRequest(runnerId, request);
		await this.#read(shared, runnerId, request.shot).catch(() => undefined);
	}

	/** Reads what another dashboard has received a moment ago. */
	async #readFresh(runnerId: number, shot: Shot): Promise<void> {
		const shared = this.#shared;
		if (shared === null || shared.node.alone) return;
		const known = this.#newest(runnerId, shot);
		if (known === null || known.ageMs > FRESH_MS) await this.#read(shared, runnerId, shot);
	}

	async #read({ db }: Shared, runnerId: number, shot: Shot): Promise<void> {
		const found = await db
			.selectFrom("displayPicture")
			.select(["jpeg", sql<number>`${postgresNow} - "takenAt"`.as("ageMs")])
			.where("runnerId", "=", runnerId)
			.where("displayId", "=", nameOf(shot))
			.where("takenAt", ">", sql<number>`${postgresNow} - ${KEPT_MS}::bigint`)
			.executeTakeFirst();
		const known = this.#newest(runnerId, shot);
		if (found === undefined || (known !== null && known.ageMs <= Number(found.ageMs))) return;
		this.#keep(runnerId, shot, { jpeg: found.jpeg, ageMs: Math.max(0, Number(found.ageMs)) });
	}

	#keep(runnerId: number, shot: Shot, picture: TakenPicture): void {
		const key = keyOf(runnerId, shot);
		const before = this.#kept.get(key);
		if (before !== undefined && !before.jpeg.equals(picture.jpeg))
			this.#keepEarlier(`${key} ${before.etag}`, before.jpeg);
		this.#drop(key);
		const timer = setTimeout(() => this.#drop(key), KEPT_MS).unref();
		const { jpeg, ageMs } = picture;
		this.#kept.set(key, { jpeg, etag: etagOf(jpeg), takenAt: performance.now() - ageMs, timer });
		this.#keptBytes += picture.jpeg.length;
		for (const oldest of this.#kept.keys()) {
			if (oldest === key || (this.#kept.size <= MAX_PICTURES && this.#keptBytes <= MAX_KEPT_BYTES)) break;
			this.#drop(oldest);
		}
		const request = this.#requests.get(runnerId)?.get(nameOf(shot));
		if (request === undefined || picture.ageMs > FRESH_MS + RETRY_MS) return;
		this.#forgetRequest(runnerId, request);
		request.came.resolve();
	}

	#newest(runnerId: number, shot: Shot): DisplayPicture | null {
		const kept = this.#kept.get(keyOf(runnerId, shot));
		return kept === undefined ? null : { jpeg: kept.jpeg, ageMs: performance.now() - kept.takenAt, etag: kept.etag };
	}

	#keepEarlier(key: string, jpeg: Buffer): void {
		if (this.#earlier.has(key)) return;
		this.#earlier.set(key, jpeg);
		this.#earlierBytes += jpeg.length;
		const drop = (oldest: string, { length }: Buffer) => {
			if (this.#earlier.delete(oldest)) this.#earlierBytes -= length;
		};
		setTimeout(() => drop(key, jpeg), KEPT_MS).unref();
		for (const [oldest, picture] of this.#earlier) {
			if (this.#earlierBytes <= MAX_EARLIER_BYTES) break;
			drop(oldest, picture);
		}
	}

	#drop(key: string): void {
		const kept = this.#kept.get(key);
		if (kept === undefined) return;
		clearTimeout(kept.timer);
		this.#kept.delete(key);
		this.#keptBytes -= kept.jpeg.length;
	}

	#assertFewWidths(runnerId: number, { displayId, width }: Shot): void {
		const widths = [...(this.#requests.get(runnerId)?.values() ?? [])].flatMap(({ shot }) =>
			shot.displayId === displayId ? [shot.width] : [],
		);
		if (widths.length < MAX_WIDTHS || widths.includes(width)) return;
		const message = `Others wait for pictures of ${displayId} in ${MAX_WIDTHS} widths. Ask for one of these: ${widths.join(", ")}.`;
		throw new TapedeckError("too_many_requests", message, { headers: { "retry-after": "1" } });
	}

	#request(runnerId: number, shot: Shot): PictureRequest {
		const requests = this.#requests.get(runnerId) ?? new Map<string, PictureRequest>();
		this.#requests.set(runnerId, requests);
		const request = requests.get(nameOf(shot)) ?? {
			shot,
			waiting: 0,
			wantedUntil: Number.NEGATIVE_INFINITY,
			sentAt: null,
			came: Promise.withResolvers<void>(),
		};
		requests.set(nameOf(shot), request);
		return request;
	}

	#forgetRequest(runnerId: number, request: PictureRequest): void {
		const requests = this.#requests.get(runnerId);
		const name = nameOf(request.shot);
		if (requests?.get(name) !== request) return;
		requests.delete(name);
		if (requests.size === 0) this.#requests.delete(runnerId);
	}
}
