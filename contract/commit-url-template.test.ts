import { expect, test } from "vitest";
import { recordingSettingsBodySchema } from "./recording-settings.ts";

const settings = { keep: "always", graceSeconds: 60, maxDurationSeconds: null };
const faultOf = (commitUrlTemplate: unknown) =>
	recordingSettingsBodySchema
		.safeParse({ ...settings, commitUrlTemplate })
		.error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);

test.each([
	["https://git.example.com/{repository}/commit/{commit}"],
	["http://127.0.0.1:3000/{commit}"],
	["HTTPS://git.example.com/view?rev={commit}&b={branch}#top"],
	[null],
	[undefined],
])("%s is accepted", (template) => {
	expect(faultOf(template)).toBeUndefined();
});

test.each([
	["javascript:alert('{commit}')", /Use an address that begins with https/],
	["https://{repository}/commit/{commit}", /and a host/],
	["https://git.example.com@{repository}/{commit}", /and a host/],
	["https://name:secret@git.example.com/{commit}", /and a host/],
	["git.example.com/{commit}", /begins with https/],
	["https://git.example.com/a b/{commit}", /begins with https/],
	["https://git.example.com/commit", /placeholder \{commit\}/],
	["https://git.example.com/{sha}/{commit}", /Replace \{sha\} by/],
	["https://git.example.com/{{commit}}", /only around placeholders/],
	["https://git.example.com/\u0000{commit}", /control characters/],
	[`https://git.example.com/${"a".repeat(500)}/{commit}`, /at most 500/],
	[7, /Send commitUrlTemplate as text/],
])("%s is refused, with what to do", (template, message) => {
	const faults = faultOf(template) ?? [];
	expect(faults.length).toBeGreaterThan(0);
	for (const fault of faults) expect(fault).toMatch(/^commitUrlTemplate: /);
	expect(faults.join("\n")).toMatch(message);
});
