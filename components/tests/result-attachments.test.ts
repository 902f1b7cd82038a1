import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ResultAttachments } from "./result-attachments.tsx";
import { testResultQuery } from "./tests.ts";

test("attachments are shown by their kind, and a page is only a download", () => {
	const client = new QueryClient();
	const names = [
		["home-expected.png", "image/png"],
		["home-actual.png", "image/png"],
		["cart.png", "image/png"],
		["output.txt", "text/plain"],
		["trace.zip", "application/zip"],
		["<b>evil</b>.html", "text/html"],
	] as const;
	const attachments = names.map(
		([name, contentType], index): Attachment => ({
			...{ id: index + 1, name, contentType, bytes: 2_000, width: null, height: null },
			url: `http://tapedeck.test/v1/attachments/${index + 1}`,
		}),
	);
	client.setQueryData(testResultQuery(7).queryKey, { attachments } as never);
	const content = createElement(ResultAttachments, { resultId: 7 });
	const html = renderToStaticMarkup(createElement(QueryClientProvider, { client }, content));
	for (const id of [1, 2, 3]) expect(html).toContain(`<img src="/v1/attachments/${id}"`);
	expect(html.match(/loading="lazy"/g)).toHaveLength(2);
	expect(html).toMatch(/<img[^>]* loading="eager"[^>]*>/);
	for (const text of ["Expected home.png", "Actual home.png", "Comparison of home.png", "output.txt"])
		expect(html).toContain(text);
	expect(html).toContain('aria-label="Open trace trace.zip"');
	expect(html).toContain('href="/v1/attachments/6?download=1"');
	expect(html).toContain("&lt;b&gt;evil&lt;/b&gt;.html");
	expect(html).not.toContain("<b>evil");
});
