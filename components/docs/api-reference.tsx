"use client";

import "@tapedeck/contract/no-eval.ts";
import "@scalar/api-reference/style.css";
import "./api-reference.css";
import { useEffect, useRef, useState } from "react";
import { type ApiDocument, viewerDocument } from "./viewer-document.ts";

/** Languages of call samples that the viewer leaves out: all but curl, JavaScript, Node, Python, Go, Java, C#, PHP and Ruby. */
const OTHER_SAMPLES = [
	...([
		"c",
		"clojure",
		"dart",
		"fsharp",
		"http",
		"julia",
		"kotlin",
		"objc",
		"ocaml",
		"powershell",
		"r",
		"rust",
	] as const),
	...(["swift", "httpie", "wget"] as const),
];

/**
 * The viewer of the API reference (decision 28). It is a program of its own that styles and scrolls the whole document,
 * so the links to this page and from it load a new one.
 */
export function ApiReference({ signedIn }: { signedIn: boolean }) {
	const place = useRef<HTMLDivElement>(null);
	const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
	useEffect(() => {
		const controller = new AbortController();
		let viewer: { destroy(): void } | null = null;
		const show = async () => {
			const [{ createApiReference }, document] = await Promise.all([
				import("@scalar/api-reference"),
				fetchDocument(controller.signal),
			]);
			if (place.current === null || controller.signal.aborted) return;
			viewer = createApiReference(place.current, {
				content: viewerDocument(document, location.origin, signedIn),
				customFetch: send,
				authentication: { preferredSecurityScheme: "apiKey" },
				hiddenClients: OTHER_SAMPLES,
				defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
				generateOperationSlug: ({ operationId, method, path }) => operationId ?? `${method}${path}`,
				theme: "none",
				withDefaultFonts: false,
				hideDarkModeToggle: true,
				documentDownloadType: "none",
				// Links that would leave this dashboard.
				telemetry: false,
				agent: { disabled: true },
				mcp: { disabled: true },
				hideClientButton: true,
				showDeveloperTools: "never",
			});
			setState("shown");
		};
		show().catch(() => {
			if (!controller.signal.aborted) setState("failed");
		});
		return () => {
			controller.abort();
			viewer?.destroy();
		};
	}, [signedIn]);
	return (
		<>
			<div ref={place} />
			{state === "loading" && (
				// Out of the flow: the viewer appears without moving it.
				<p aria-busy className="fixed inset-x-0 top-1/3 text-center text-sm text-muted">
					Loading the reference …
				</p>
			)}
			{state === "failed" && (
				<p role="alert" className="p-6 text-sm text-danger">
					The reference could not be loaded. Reload the page.
				</p>
			)}
		</>
	);
}

/** Sends a call that is tried. While the field for the API key is empty, the viewer has an empty one in its header. */
function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
	const request = new Request(input, init);
	if (request.headers.get("authorization") === "Bearer") request.headers.delete("authorization");
	return fetch(request);
}

async function fetchDocument(signal: AbortSignal): Promise<ApiDocument> {
	const answer = await fetch("/v1/openapi.json", { signal });
	if (!answer.ok) throw new Error(`The OpenAPI document was answered with ${answer.status}.`);
	return answer.json();
}
