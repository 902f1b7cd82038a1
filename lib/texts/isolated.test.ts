import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quoted } from "./isolated.ts";

test("a name that runs the other way, or says so, does not turn the words of the sentence around it", () => {
	expect(quoted("Checkout")).toBe("“Checkout”");
	for (const name of ["בדיקה", "اختبار", "gpj.\u202etnemyap", "\u2067x"])
		expect(quoted(name)).toBe(`“\u2068${name}\u2069”`);
});

test("no sentence quotes a name without it", async () => {
	const files = (await readdir(import.meta.dirname)).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
	const bare: string[] = [];
	for (const file of files) {
		const text = await readFile(join(import.meta.dirname, file), "utf8");
		if (file !== "isolated.ts" && text.includes("“${")) bare.push(file);
	}
	expect(bare).toEqual([]);
});
