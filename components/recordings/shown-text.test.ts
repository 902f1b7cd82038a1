import { expect, test } from "vitest";
import { shownText } from "./shown-text.ts";

test.each([
	["application/json", '{"total":4.8}', '{\n  "total": 4.8\n}'],
	["application/json", '{"total":4.', '{"total":4.'],
	["application/json", '{"a":"\\u001b[31m"}', '{\n  "a": "\\u001b[31m"\n}'],
	["text/plain", "\u001b[31mred\u001b[0m\u0000", "red"],
])("%s is shown readably: %j", (contentType, text, shown) => {
	expect(shownText({ contentType }, text)).toBe(shown);
});
