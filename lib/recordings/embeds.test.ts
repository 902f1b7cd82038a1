import type { SharedRecording } from "@tapedeck/contract/link.ts";
import { expect, test } from "vitest";
import { embedOf } from "./embeds.ts";

const SHARED: SharedRecording = {
	...{ name: 'Pay <now> & "later"', outcome: "failed", kind: "video", contentType: "video/mp4", durationSeconds: 4 },
	...{ width: 1_920, height: 1_080, markers: [], expiresAt: null, at: null, from: null, to: null, include: [] },
	failureOffsetSeconds: null,
	...{ videoUrl: "", posterUrl: "", pictureUrl: "https://deck.example/v1/shared/t/frame?of=failure&width=1200" },
};
const options = { url: "https://deck.example/shared/t?t=1&x='", baseUrl: "https://deck.example", isFramed: true };

test("a shared page that may be framed is a frame of the video's proportions, and its text is only text", () => {
	const embed = embedOf(SHARED, options);
	expect(embed).toMatchObject({ type: "video", width: 1_280, height: 860, title: 'Pay <now> & "later": failed' });
	expect(embed.type === "video" && embed.html).toBe(
		'<iframe src="https://deck.example/shared/t?t=1&amp;x=&#39;" width="1280" height="860" title="Pay &lt;now&gt; &amp; &quot;later&quot;: failed" style="border:0" allowfullscreen></iframe>',
	);
});

test.each([
	[640, undefined],
	[undefined, 400],
	[300, 200],
	[1, 1],
	[100_000, 100_000],
])("a frame of at most %s × %s is not larger, nor is its picture", (maxwidth, maxheight) => {
	const embed = embedOf(SHARED, { ...options, maxwidth, maxheight });
	if (embed.type !== "video") throw new Error("it may be framed");
	for (const [size, most] of [
		[embed.width, maxwidth],
		[embed.height, maxheight],
		[embed.thumbnail_width, maxwidth],
		[embed.thumbnail_height, maxheight],
	] as const) {
		expect(size).toBeGreaterThanOrEqual(1);
		expect(size).toBeLessThanOrEqual(most ?? 100_000);
	}
});

test("a shared page that may not be framed is a link with a picture", () => {
	const embed = embedOf({ ...SHARED, width: null, height: null, outcome: null }, { ...options, isFramed: false });
	expect(embed).toMatchObject({ type: "link", title: SHARED.name, thumbnail_width: 1_280, thumbnail_height: 720 });
	expect(embed).not.toHaveProperty("html");
});
