/** Software bills of materials, in the form of CycloneDX. They list what an artefact contains. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { Remedy } from "../bin/setup/remedy.mjs";

interface Described {
	name: string;
	version: string;
	/** An SPDX expression. */
	license: string;
	/** Its package URL, such as `pkg:npm/zod@4.6.7`. */
	purl: string;
}

const licenses = new Contrib.License.Factories.LicenseFactory(() => undefined);

/**
 * @param file the artefact.
 * @param contained what it contains.
 * @param timestamp of the release.
 * @returns the document as JSON, the same each time.
 * @throws Remedy if a component names no licence.
 */
export function sbomOf(file: string, artefact: Described, contained: readonly Described[], timestamp: Date): string {
	const component = componentOf(artefact, Enums.ComponentType.Application);
	const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
	component.hashes.set(Enums.HashAlgorithm["SHA-256"], digest);
	const components = contained.map((each) => componentOf(each, Enums.ComponentType.Library));
	for (const { bomRef } of components) component.dependencies.add(bomRef);
	const bom = new Models.Bom({
		metadata: new Models.Metadata({ component, timestamp }),
		components: new Models.ComponentRepository(components),
	});
	const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
	return `${serializer.serialize(bom, { sortLists: true, space: "\t" })}\n`;
}

function componentOf({ name, version, license, purl }: Described, type: Enums.ComponentType): Models.Component {
	if (license === "") throw new Remedy(`${name} ${version} names no licence, so it cannot be shipped.`);
	const component = new Models.Component(type, name, { version, purl, bomRef: purl });
	component.licenses.add(licenses.makeFromString(license));
	return component;
}
