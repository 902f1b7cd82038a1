import { expect, test } from "vitest";
import { type ApiDocument, viewerDocument } from "./viewer-document.ts";

const document: ApiDocument = {
	info: { description: "Record displays." },
	servers: [{ url: "https://tapedeck.example.com", description: "This dashboard" }],
	security: [{ apiKey: [] }, { session: [] }],
	paths: {
		"/v1/jobs": {
			get: {
				security: [{ apiKey: [] }, { session: [] }],
				parameters: [{ required: false, schema: { enum: ["duration"] } }, { required: true }],
			},
		},
		"/v1/api-keys": { post: { security: [{ session: [] }] } },
		"/v1/health": { get: { security: [] } },
	},
	components: { securitySchemes: { apiKey: { type: "http" }, session: { type: "apiKey" } } },
};
const securityOf = ({ paths }: ApiDocument) => Object.values(paths).map(({ get, post }) => (get ?? post)?.security);

test("someone signed in needs nothing else to call, and may enter an API key where one is accepted", () => {
	const viewed = viewerDocument(document, "http://127.0.0.1:3000", true);
	expect(viewed.servers.map(({ url }) => url)).toEqual(["http://127.0.0.1:3000"]);
	expect(Object.keys(viewed.components.securitySchemes)).toEqual(["apiKey"]);
	expect(viewed.security).toEqual([{ apiKey: [] }, {}]);
	expect(securityOf(viewed)).toEqual([[{ apiKey: [] }, {}], [{}], []]);
	expect(viewed.info.description).toMatch(/^Record displays\.\n\n.*sent as you/);
});

test("someone who is not signed in is asked for an API key where one is accepted", () => {
	const viewed = viewerDocument(document, "http://127.0.0.1:3000", false);
	expect(securityOf(viewed)).toEqual([[{ apiKey: [] }], [], []]);
	expect(viewed.info.description).toContain("(/login)");
});

test("optional parameters are not sent before they are chosen, so that a call that is tried at once filters nothing", () => {
	const [filter, required] = viewerDocument(document, "http://x", true).paths["/v1/jobs"]?.get?.parameters ?? [];
	expect(filter).toMatchObject({ examples: { default: { "x-disabled": true } } });
	expect(required).toEqual({ required: true });
});
