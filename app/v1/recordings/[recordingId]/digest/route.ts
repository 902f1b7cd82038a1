import { digestQuerySchema } from "@tapedeck/contract/digest.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { filesOfRecording } from "#lib/http/route-definition.ts";
import { readDigest, readSheet } from "#lib/test-results/digest.ts";

export const GET = route(
	{
		operationId: "getRecordingDigest",
		summary:
			"Get what happened in a recording as bounded Markdown, as JSON with Accept: application/json, or with part=sheet its frames as one JPEG",
		permission: "recordings:read",
		params: pathIds("recordingId"),
		files: filesOfRecording,
		query: digestQuerySchema,
		refusals: ["unavailable"],
		answers: { 200: ["text/markdown", "application/json", "image/jpeg"] },
	},
	async ({ ctx, params, query, request, signal }) => {
		const call = { ...query, ...params, signal };
		if (query.part === "sheet") {
			const headers = { "content-type": "image/jpeg", "cache-control": "private, no-store" };
			return new Response(new Uint8Array(await readSheet(ctx, call)), { headers });
		}
		const digest = await readDigest(ctx, call);
		if (request.headers.get("accept")?.includes("application/json")) return digest;
		const headers = { "content-type": "text/markdown; charset=utf-8", "cache-control": "private, no-store" };
		return new Response(digest.markdown, { headers });
	},
);
