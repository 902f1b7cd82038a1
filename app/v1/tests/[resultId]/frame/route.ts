import { pathIds, route } from "#lib/http/route.ts";
import { readFailureFrame } from "#lib/test-results/failure-frames.ts";

export const GET = route(
	{
		operationId: "getTestFailureFrame",
		summary: "Get the frame at which a test failed as JPEG; it outlives the video",
		permission: "recordings:read",
		rateLimit: false,
		params: pathIds("resultId"),
		answers: { 200: ["image/jpeg"] },
	},
	async ({ ctx, params }) => {
		const jpeg = await readFailureFrame(ctx, params.resultId);
		const headers = { "content-type": "image/jpeg", "cache-control": "private, max-age=3600" };
		return new Response(new Uint8Array(jpeg), { headers });
	},
);
