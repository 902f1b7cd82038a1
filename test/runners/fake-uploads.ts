/** Uploads of the fake dashboard: files in a folder. The real handler of tus receives them. */
import { randomBytes } from "node:crypto";
import { open, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TusStore, type UploadMetadata, uploadNotFound } from "#lib/recordings/upload/tus-handler.ts";
import type { UploadRecord } from "#lib/recordings/upload/upload-record.ts";

export class FakeUploads implements TusStore {
	readonly maxBytes = 0;
	readonly #folder: string;
	readonly #records = new Map<string, UploadRecord>();
	readonly #on: Record<"created" | "completed", (upload: UploadRecord) => void>;

	constructor(folder: string, on: Record<"created" | "completed", (upload: UploadRecord) => void>) {
		this.#folder = folder;
		this.#on = on;
	}

	#pathOf(id: string): string {
		return join(this.#folder, id);
	}

	async begin(size: number | undefined, metadata: UploadMetadata): Promise<UploadRecord> {
		return { id: randomBytes(16).toString("hex"), size, metadata, creation_date: new Date().toISOString() };
	}

	async create(upload: UploadRecord): Promise<void> {
		await writeFile(this.#pathOf(upload.id), "");
		this.#records.set(upload.id, upload);
		this.#on.created(upload);
	}

	async authorize(id: string): Promise<void> {
		this.#record(id);
	}

	async find(id: string) {
		return { ...this.#record(id), offset: (await stat(this.#pathOf(id))).size };
	}

	async declareLength(id: string, size: number): Promise<void> {
		this.#record(id).size = size;
	}

	async append(id: string, offset: number, pieces: AsyncGenerator<Buffer>): Promise<number> {
		const file = await open(this.#pathOf(id), "r+");
		let end = offset;
		try {
			for await (const piece of pieces) end += (await file.write(piece, 0, piece.length, end)).bytesWritten;
			return end;
		} finally {
			await file.close();
		}
	}

	async finish(id: string) {
		this.#on.completed(this.#record(id));
		return {};
	}

	async remove(id: string): Promise<void> {
		this.#records.delete(id);
		await rm(this.#pathOf(id));
	}

	#record(id: string): UploadRecord {
		const record = this.#records.get(id);
		if (record === undefined) throw uploadNotFound();
		return record;
	}
}
