import { expect, test } from "vitest";
import { generateTypes, writtenTypes } from "./generate-types.ts";

test("the client's types are those of today's API", async () => {
	expect((await generateTypes()) === (await writtenTypes()), "Run: node clients/typescript/generate-types.ts").toBe(
		true,
	);
});
