import { expect, test } from "vitest";
import { clipQuerySchema } from "./clip.ts";
import { momentParam, offsetParam } from "./query-params.ts";
import { frameQuerySchema, liveQuerySchema, posterQuerySchema } from "./recording.ts";
import { readTrackQuerySchema } from "./track.ts";

test.each([
	["12.5", 12.5],
	["0", 0],
	["12.340000000000002", 12.340000000000002],
	["1e-7", 1e-7],
	["1.5E+2", 150],
	["1e300", 1_000_000_000],
	["99999999999999999999", 1_000_000_000],
])("a parameter of seconds takes any finite number: %s", (text, seconds) => {
	expect(momentParam("at").parse(text)).toBe(seconds);
	expect(offsetParam("offset").parse(`-${text}`)).toBe(-seconds);
});

test.each([
	"",
	" 1",
	"1 s",
	"0x10",
	"Infinity",
	"NaN",
	"1e999",
	".",
	"1".repeat(500),
])("a parameter of seconds refuses %j, which is no finite number", (text) => {
	expect(momentParam("at").safeParse(text).success).toBe(false);
});

test("a moment of a video is not negative", () => {
	expect(momentParam("at").safeParse("-1").success).toBe(false);
});

test.each([
	["at of a poster", posterQuerySchema.shape.at],
	["at of a frame", frameQuerySchema.shape.at],
	["from of a live video", liveQuerySchema.shape.from],
	["from of a track's lines", readTrackQuerySchema.shape.from],
	["to of a track's lines", readTrackQuerySchema.shape.to],
	["from of a clip", clipQuerySchema.shape.from],
])("%s takes any finite number", (_, schema) => {
	for (const text of ["12.340000000000002", "1e-7"]) expect(schema.parse(text)).toBe(Number(text));
	expect(schema.safeParse("1e999").success).toBe(false);
	expect(schema.safeParse("soon").success).toBe(false);
});
