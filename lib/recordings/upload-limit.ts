/** How large a file may be that people and keys bring in. What a runner has recorded is taken whatever its size. */
import type { Context } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { shownBytes } from "./shown-bytes.ts";

/** @returns 0 for any size. */
export const maxUploadBytes = ({ actor, quotas }: Pick<Context, "actor" | "quotas">): number =>
	actor.kind === "runner" ? 0 : quotas.uploadBytes;

/** @throws payload_too_large */
export function assertFileSize(ctx: Pick<Context, "actor" | "quotas">, bytes: number): void {
	const most = maxUploadBytes(ctx);
	if (most > 0 && bytes > most) throw new TapedeckError("payload_too_large", wordsFor(most));
}

/** The same in tus's form, and for more bytes than an upload has announced. */
export const fileTooLarge = (ctx: Pick<Context, "actor" | "quotas">) => {
	const most = maxUploadBytes(ctx);
	const announced = "Send no more bytes than Upload-Length has announced.";
	return { status_code: 413, body: `${most === 0 ? announced : `${wordsFor(most)} ${announced}`}\n` };
};

const wordsFor = (most: number): string =>
	`A file may have at most ${shownBytes(most)} here. Send a shorter or smaller video, or ask who runs this dashboard for more (TAPEDECK_LIMIT_UPLOAD_MB).`;
