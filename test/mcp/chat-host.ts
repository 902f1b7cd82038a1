/**
 * A chat that shows views of MCP Apps: it uses the bridge of the protocol's authors, and allows a view only what it has declared. The
 * view and the chat have an origin of their own.
 */
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import type { Page } from "playwright";
import { rolldown } from "rolldown";
import { mcpToolsFolder } from "../../bin/setup/external-programs.mjs";

const HOST = `
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
window.opened = [];
window.show = async (view, input, result, theme) => {
	const frame = document.createElement("iframe");
	frame.sandbox = "allow-scripts";
	frame.style = "width:640px;border:0";
	const capabilities = { openLinks: {} };
	const hostContext = { theme, containerDimensions: { width: 640 } };
	const bridge = new AppBridge(null, { name: "host", version: "1" }, capabilities, { hostContext });
	bridge.onopenlink = async ({ url }) => (window.opened.push(url), {});
	bridge.onsizechange = ({ height }) => (frame.style.height = height + "px");
	const ready = new Promise((resolve) => (bridge.oninitialized = resolve));
	document.body.append(frame);
	await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
	frame.src = view;
	await ready;
	await bridge.sendToolInput({ arguments: input });
	await bridge.sendToolResult(result);
};
`;
const HTML = { "content-type": "text/html; charset=utf-8" };

export interface ToolUse {
	name: string;
	arguments: Record<string, unknown>;
	theme: "light" | "dark";
	/** Changes what the view gets. */
	change?: (result: object) => object;
}

export interface ChatHost {
	/**
	 * Calls a tool, and shows its view on the page.
	 * @param before HTML above the view.
	 * @returns the answer, as the chat got it.
	 */
	show(page: Page, client: Client, use: ToolUse, before?: string): Promise<string>;
	stop(): void;
}

export async function startChatHost(): Promise<ChatHost> {
	const entry = join(mcpToolsFolder, "host.mjs");
	await writeFile(entry, HOST);
	const build = await rolldown({ input: entry, platform: "browser", logLevel: "silent" });
	const { output } = await build.generate({ format: "iife" });
	await build.close();
	const script = output[0].code.replaceAll("</script", "<\\/script");
	const closing: (() => void)[] = [];
	const serve = async (body: string, headers: Record<string, string>): Promise<string> => {
		const server = createServer((_, answer) => answer.writeHead(200, headers).end(body));
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		closing.push(() => void server.close());
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	};
	return {
		async show(page, client, { name, arguments: input, theme, change = (result) => result }, before = "") {
			const { tools } = await client.listTools();
			const { resourceUri } = tools.find((each) => each.name === name)?._meta?.ui as { resourceUri: string };
			const [content] = (await client.readResource({ uri: resourceUri })).contents as unknown as [
				{ text: string; _meta: { ui: { csp: { resourceDomains: string[] } } } },
			];
			const allowed = content._meta.ui.csp.resourceDomains.join(" ");
			const policy = `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: ${allowed}; media-src ${allowed}`;
			const view = await serve(content.text, { ...HTML, "content-security-policy": policy });
			const result = await client.callTool({ name, arguments: input });
			await page.goto(await serve(`<!doctype html><body>${before}<script>${script}</script>`, HTML));
			await page.evaluate(
				([view, input, result, theme]) =>
					(window as unknown as { show(...args: unknown[]): Promise<void> }).show(view, input, result, theme),
				[view, input, change(result), theme] as const,
			);
			return JSON.stringify(result.content);
		},
		stop() {
			for (const close of closing) close();
		},
	};
}
