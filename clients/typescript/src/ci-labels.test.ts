/** The labels of CI systems. The Python client reads the same vectors: see test/vectors/README.md. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ciLabels } from "./ci-labels.ts";

interface CiVector {
	title: string;
	env: Record<string, string>;
	labels: Record<string, string>;
}

const file = new URL("../../../test/vectors/computed/ci-labels.json", import.meta.url);
const vectors: CiVector[] = JSON.parse(await readFile(file, "utf8"));

test.each(vectors)("$title", ({ env, labels }) => {
	expect(ciLabels(env)).toEqual(labels);
});
