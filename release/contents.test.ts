/** The shipped artefacts: the same bytes from each build, licences and SBOMs. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { portable } from "./dashboard-program.ts";
import { sbomOf } from "./sbom.ts";
import { licenseTexts, packagesOf } from "./third-party.ts";

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder("contents");
});

async function addPackage(name: string, manifest: object, license: string | null = "The text."): Promise<string> {
	const place = join(folder, "node_modules", name);
	await mkdir(join(place, "lib"), { recursive: true });
	await writeFile(join(place, "package.json"), JSON.stringify({ name, version: "1.0.0", ...manifest }));
	if (license !== null) await writeFile(join(place, "LICENSE.md"), license);
	return join(place, "lib", "index.js");
}

test("the packages of bundled modules are listed once each, with the texts of their licences", async () => {
	const files = [
		await addPackage("b", { license: "ISC" }),
		await addPackage("@a/c", { license: "MIT" }, "Its text."),
		await addPackage("@a/c/node_modules/b", { name: "b", license: "ISC" }),
		join(folder, "node_modules", "b", "package.json"),
		join(folder, "own.ts"),
	];
	const packages = packagesOf(files);
	expect(packages).toEqual([
		{ name: "@a/c", version: "1.0.0", license: "MIT", text: "Its text." },
		{ name: "b", version: "1.0.0", license: "ISC", text: "The text." },
	]);
	expect(licenseTexts(packages)).toMatch(/@a\/c 1\.0\.0, MIT\n\nIts text\.[\s\S]*b 1\.0\.0, ISC\n\nThe text\./);
});

test("a bundled package is refused when it names no licence, or has no text of it", async () => {
	const unnamed = await addPackage("unnamed", {});
	expect(() => packagesOf([unnamed])).toThrow("unnamed names no licence");
	const without = await addPackage("without", { license: "Odd" }, null);
	expect(() => packagesOf([without])).toThrow("without has no text of its licence");
});

test("an SBOM names the artefact with its digest, its components and their licences, the same each time", async () => {
	const file = join(folder, "artefact.tgz");
	await writeFile(file, "bytes");
	const own = { name: "tapedeck", version: "1.2.0", license: "Apache-2.0", purl: "pkg:npm/tapedeck@1.2.0" };
	const zod = { name: "zod", version: "4.0.0", license: "MIT", purl: "pkg:npm/zod@4.0.0" };
	const either = { name: "either", version: "1.0.0", license: "(MIT OR Apache-2.0)", purl: "pkg:npm/either@1.0.0" };
	const made = () => sbomOf(file, own, [zod, either], new Date(1_000));
	expect(JSON.parse(made())).toMatchObject({
		bomFormat: "CycloneDX",
		metadata: {
			timestamp: "1970-01-01T00:00:01.000Z",
			component: { name: "tapedeck", hashes: [{ alg: "SHA-256", content: expect.stringMatching(/^[0-9a-f]{64}$/) }] },
		},
		components: [
			{ name: "either", licenses: [{ expression: "(MIT OR Apache-2.0)" }] },
			{ name: "zod", licenses: [{ license: { id: "MIT" } }] },
		],
	});
	expect(made()).toBe(made());
	expect(() => sbomOf(file, own, [{ ...zod, license: "" }], new Date(0))).toThrow("zod 4.0.0 names no licence");
});

test("two builds have the same keys, in their JSON and within the strings of their scripts", () => {
	const manifests = (key: string) => {
		const json = JSON.stringify({ node: {}, encryptionKey: key, previewModeId: "0".repeat(32) }, null, 2);
		const files = { "server/manifest.json": json, "server/manifest.js": `self.MANIFEST=${JSON.stringify(json)}` };
		return Object.entries(files).map(([path, text]) =>
			portable("/opt", "the build", path, Buffer.from(text)).toString(),
		);
	};
	const [json = "", script = ""] = manifests("RFV/Wzp6YhLl+JGEqgK/d81OuVQci0L1kEe4jRSOz7w=");
	expect(manifests("UbucCQOU+fonjHRJSThLkw+le3OsWzWTJaThEskGtpE=")).toEqual([json, script]);
	expect(JSON.parse(script.replace("self.MANIFEST=", ""))).toBe(json);
	expect(JSON.parse(json)).toEqual({
		node: {},
		encryptionKey: expect.stringMatching(/^[\w+/]{43}=$/),
		previewModeId: expect.stringMatching(/^[0-9a-f]{32}$/),
	});
});
