import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { loadRoutes } from "../route-table.ts";
import { openApiDocument } from "./document.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);

type Operation = { operationId: string; "x-codeSamples"?: { lang: string; source: string }[] };

const document = openApiDocument(await loadRoutes(join(root, "app")), "https://tapedeck.test");
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Operation[]);
const samplesIn = (lang: string) =>
	operations.flatMap(({ operationId, "x-codeSamples": samples = [] }) =>
		samples.filter((sample) => sample.lang === lang).map(({ source }) => ({ operationId, source })),
	);

/** A folder in the checkout, so that packages are found as in any other. */
async function folder(): Promise<string> {
	await mkdir(join(root, ".cache"), { recursive: true });
	const path = await mkdtemp(join(root, ".cache", "samples-"));
	onTestFinished(() => rm(path, { recursive: true }));
	return path;
}

test("every sample in TypeScript compiles against the client", async () => {
	const path = await folder();
	const samples = samplesIn("typescript");
	expect(samples.length).toBeGreaterThan(30);
	for (const { operationId, source } of samples) await writeFile(join(path, `${operationId}.ts`), source);
	const settings = { extends: join(root, "tsconfig.json"), include: ["*.ts"], compilerOptions: { incremental: false } };
	await writeFile(join(path, "tsconfig.json"), JSON.stringify(settings));
	await run(join(root, "node_modules/.bin/tsc"), ["-p", path]).catch((error) => expect.fail(String(error.stdout)));
});

test("every sample in Python calls a method that the client has", async () => {
	const client = new Map<string, string>();
	for (const name of ["client", "jobs", "recordings", "runners", "tests"]) {
		client.set(name, await readFile(join(root, "clients/python/src/tapedeck/_sync", `${name}.py`), "utf8"));
	}
	const samples = samplesIn("python");
	expect(samples.length).toBeGreaterThan(30);
	for (const { operationId, source } of samples) {
		const [, part = "client", method] = /client\.(?:(jobs|recordings|runners|tests)\.)?(\w+)\(/.exec(source) ?? [];
		expect(client.get(part), operationId).toContain(`def ${method}(`);
	}
});

test("every operation that takes API keys has samples, except those of files and of the tus protocol", () => {
	const without = operations.flatMap((operation) => {
		const { operationId, "x-codeSamples": samples, security } = operation as Operation & { security: object[] };
		return samples === undefined && security.some((each) => "apiKey" in each) ? [operationId] : [];
	});
	const pictures = ["getRecordingPoster", "getDisplayPicture", "getTestFailureFrame"];
	const videos = ["uploadRecording", "downloadRecordings", "followRecording"];
	const tus = ["createUpload", "getUploadFeatures", "appendToUpload", "cancelUpload", "getUploadFeaturesOf"];
	expect(without.sort()).toEqual([...pictures, ...videos, ...tus, "getUploadOffset"].sort());
});
