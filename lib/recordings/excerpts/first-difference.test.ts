import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inExplore } from "#test/in-explore.ts";
import { openTestRecordings } from "#test/recordings.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { findFirstDifference } from "./first-difference.ts";

const HERE = new AbortController().signal;

let t: Awaited<ReturnType<typeof openTestRecordings>>;
beforeAll(async () => {
	t = await openTestRecordings();
});
afterAll(async () => {
	await t.close();
	await removeTestFolder();
});

async function add(video: Buffer): Promise<number> {
	const { body } = await t.call("/v1/recordings?name=x", { method: "POST", as: "key", body: video });
	return JSON.parse(body.toString()).id;
}

const WHITE = "color=white:size=640x360:rate=10";
/** A white page, on which boxes are drawn: like a page that a test changes. */
const page = async (seconds: number, ...boxes: string[]): Promise<number> =>
	add(
		await makeExternalVideo({
			seconds,
			source: [WHITE, ...boxes.map((box) => `drawbox=color=black:t=fill:${box}`)].join(","),
		}),
	);
const DIALOG = "x=200:y=100:w=240:h=160";
/** The size of a letter. */
const LETTER = "x=100:y=50:w=9:h=12";

const difference = (left: number, right: number, stretch: { offset?: number; from?: number; to?: number } = {}) =>
	findFirstDifference(t.as("key"), { recordingId: left, with: right, signal: HERE, ...stretch });

/** At most a tenth of a second late: a sample's length. */
function expectAt(found: { at: number | null }, seconds: number): void {
	expect(found.at).toBeGreaterThanOrEqual(seconds);
	expect(found.at).toBeLessThanOrEqual(seconds + 0.101);
}

test("the first difference is found in either recording, also where it is as small as a letter, whatever comes later", async () => {
	const plain = await page(8, `${DIALOG}:enable='gte(t,6)'`);
	const dialog = await page(8, `${DIALOG}:enable='gte(t,3.2)*lt(t,3.8)+gte(t,6)'`);
	const letter = await page(8, `${LETTER}:enable='gte(t,4.5)'`, `${DIALOG}:enable='gte(t,6)'`);
	expectAt(await difference(plain, dialog), 3.2);
	expectAt(await difference(dialog, plain), 3.2);
	expectAt(await difference(plain, letter), 4.5);
	expect((await difference(plain, plain)).at).toBeNull();
});

inExplore(test)(
	"pictures that the other recording shows within two seconds, and noise, are no difference; later ones are",
	async () => {
		const shows = await page(9, `${DIALOG}:enable='gte(t,3)*lt(t,7)'`);
		const later = await page(9, `${DIALOG}:enable='gte(t,4.8)*lt(t,7.4)'`);
		const late = await page(9, `${DIALOG}:enable='gte(t,6.5)'`);
		const noisy = await add(
			await makeExternalVideo({
				seconds: 9,
				source: `${WHITE},drawbox=color=black:t=fill:${DIALOG}:enable='gte(t,3)*lt(t,7)',noise=alls=12:allf=t`,
			}),
		);
		expect((await difference(shows, later)).at).toBeNull();
		expect((await difference(shows, noisy)).at).toBeNull();
		expectAt(await difference(shows, late), 3);
	},
);

test("recordings are compared where the offset puts them together, and only in the stretch that is asked for and that both have", async () => {
	const one = await page(9, `${DIALOG}:enable='gte(t,3)'`, `${LETTER}:enable='gte(t,6)'`);
	// Half of it is 3 s ahead, and then it has nothing more.
	const other = await page(10, `${DIALOG}:enable='gte(t,6)'`);
	expectAt(await difference(one, other, { offset: 3 }), 6);
	expect(await difference(one, other, { offset: 3, to: 5 })).toEqual({ at: null, comparedTo: 5 });
	expectAt(await difference(other, one, { offset: -3, from: 4 }), 9);
	expectAt(await difference(one, other, { from: 3.5 }), 3.5);
	expect(await difference(one, other, { offset: 3, from: 8 })).toEqual({ at: null, comparedTo: 8 });
	expect(await difference(one, other, { offset: 100 })).toEqual({ at: null, comparedTo: 0 });
});

inExplore(test)(
	"a difference far behind the beginning is found, and recordings of a runner with equal frames left out are compared as they are played",
	async () => {
		const long = await page(26, `${DIALOG}:enable='gte(t,23.4)'`);
		expectAt(await difference(await page(26), long), 23.4);
		const recorded = await add(await readFile(await makeVideo("recorder.mp4", 4)));
		expect((await difference(recorded, recorded)).at).toBeNull();
	},
);

test("nothing is compared with what is not there, or another organization's, or for somebody who has gone", async () => {
	const mine = await page(2);
	const call = { recordingId: mine, with: mine, signal: HERE };
	await expect(findFirstDifference(t.as("key"), { ...call, with: 999_999 })).rejects.toThrow("No such recording");
	await expect(findFirstDifference(t.as("key"), { ...call, recordingId: 999_999 })).rejects.toThrow(
		"No such recording",
	);
	await expect(findFirstDifference(t.as("foreignKey"), call)).rejects.toThrow("No such recording");
	const gone = AbortSignal.abort(new Error("gone"));
	await expect(findFirstDifference(t.as("key"), { ...call, signal: gone })).rejects.toThrow("gone");
});
