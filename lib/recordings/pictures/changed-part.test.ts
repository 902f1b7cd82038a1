import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { decodePicture } from "#test/videos/decode-picture.ts";
import { changedPart } from "./changed-part.ts";
import { FrameGrabber } from "./grab-frame.ts";

/** A picture with moving test bars' first frame, and boxes as `x:y:width:height:colour`. */
const picture = (boxes: string[] = [], size = "1280x720"): Buffer => {
	const drawn = boxes.map((box) => {
		const [x, y, w, h, colour] = box.split(":");
		return `,drawbox=x=${x}:y=${y}:w=${w}:h=${h}:color=${colour}:t=fill`;
	});
	const input = ["-f", "lavfi", "-i", `testsrc2=size=${size}${drawn.join("")}`];
	const output = ["-frames:v", "1", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "3", "-f", "image2pipe", "-"];
	return execFileSync("ffmpeg", ["-v", "error", ...input, ...output], { maxBuffer: 2 ** 24 });
};

const part = (before: Buffer, after: Buffer) => {
	const log = { warn: () => undefined } as unknown as ConstructorParameters<typeof FrameGrabber>[0];
	const actor = { kind: "system", organizationId: 1 } as const;
	const ctx = { actor, frameGrabber: new FrameGrabber(log) };
	return changedPart(ctx, { before, after }, AbortSignal.timeout(60_000));
};

test("the part is the blocks that changed, and shows what the picture shows there", async () => {
	const before = picture();
	const changed = await part(before, picture(["101:203:50:20:white", "330:240:10:10:white"]));
	if (typeof changed === "string") throw new Error(changed);
	expect(changed.rectangle).toEqual({ x: 96, y: 192, width: 256, height: 64 });
	const { width, height } = await decodePicture(changed.jpeg);
	expect([width, height]).toEqual([256, 64]);
	const [white, black] = await Promise.all(
		["white", "black"].map(async (colour) => {
			const one = await part(before, picture([`640:320:64:64:${colour}`]));
			return typeof one === "string" ? null : (await decodePicture(one.jpeg)).brightness;
		}),
	);
	expect(white).toBeGreaterThan(240);
	expect(black).toBeLessThan(15);
});

test("a change at the right and lower edge, and of colour alone, is found in a picture of an odd size", async () => {
	const size = "1000x562";
	const changed = await part(picture([], size), picture(["990:555:10:7:red"], size));
	expect(changed).toMatchObject({ rectangle: { x: 976, y: 544, width: 24, height: 18 } });
});

test("pictures without a difference are the same; those that differ all over or in size are sent whole", async () => {
	expect(await part(picture(), picture())).toBe("same");
	expect(await part(picture(), picture(["0:0:1280:500:white"]))).toBe("whole");
	expect(await part(picture([], "640x360"), picture())).toBe("whole");
	expect(await part(Buffer.from("no picture"), picture())).toBe("whole");
	expect(await part(picture(), picture().subarray(0, 2_000))).toBe("whole");
});
