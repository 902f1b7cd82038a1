/** The bytes of an answer as they arrive. */

/** @throws when the connection breaks, or nothing arrives for `idleMs`. */
export async function* chunksOf(
	{ body }: Response,
	idleMs: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
	if (body === null) return;
	const reader = body.getReader();
	try {
		for (;;) {
			let timer: ReturnType<typeof setTimeout> | undefined;
			const idle = new Promise<never>((_, reject) => {
				timer = setTimeout(() => reject(new Error(`no data for ${idleMs / 1_000} s`)), idleMs);
			});
			const { done, value } = await Promise.race([reader.read(), idle]).finally(() => clearTimeout(timer));
			if (done) return;
			yield value;
		}
	} finally {
		reader.cancel().catch(() => undefined);
	}
}
