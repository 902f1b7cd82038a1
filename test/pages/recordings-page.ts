/** The recordings page, as users operate it. */
import type { Recording } from "@tapedeck/contract/recording.ts";
import { expect, type Locator, type Page } from "playwright/test";
import type { Dashboard } from "../stack.ts";

/** Uploads a video by the API. */
export async function addRecording({ url, apiKey }: Dashboard, name: string, video: Buffer): Promise<Recording> {
	const answer = await fetch(`${url}/v1/recordings?name=${encodeURIComponent(name)}`, {
		method: "POST",
		headers: { authorization: `Bearer ${apiKey}`, "content-type": "video/mp4" },
		body: new Uint8Array(video),
	});
	expect(answer.status).toBe(201);
	return answer.json();
}

export const cards = (page: Page): Locator => page.getByRole("list", { name: "Recordings" }).getByRole("listitem");
export const cardOf = (page: Page, name: string): Locator =>
	cards(page).filter({ has: page.getByRole("link", { name, exact: true }) });
export const boxOf = (page: Page, name: string): Locator => page.getByRole("checkbox", { name: `Select ${name}` });

/** The names of the cards, in their order. */
export const namesIn = (page: Page): Promise<string[]> => cards(page).locator("a[data-recording]").allTextContents();

export interface ChosenFile {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** Confirms the dialog for the chosen files. */
export async function confirmUpload(page: Page): Promise<void> {
	await page
		.getByRole("dialog", { name: /^Upload \d+ files?$/ })
		.getByRole("button", { name: "Upload" })
		.click();
}

/** Chooses files by the button. */
export async function chooseFiles(page: Page, files: ChosenFile[]): Promise<void> {
	const choosing = page.waitForEvent("filechooser");
	await page.getByRole("button", { name: "Upload files" }).click();
	await (await choosing).setFiles(files);
}

/** Drags a file over the page and drops it once the page offers to. */
export async function dropFile(page: Page, { name, mimeType, buffer }: ChosenFile): Promise<void> {
	const data = await page.evaluateHandle(
		([name, type, base64]) => {
			const bytes = Uint8Array.from(atob(base64 as string), (sign) => sign.charCodeAt(0));
			const transfer = new DataTransfer();
			// The same file has the same time, however often it is dropped.
			transfer.items.add(new File([bytes], name as string, { type, lastModified: 1_000 }));
			return transfer;
		},
		[name, mimeType, buffer.toString("base64")],
	);
	const main = page.getByRole("main");
	await main.dispatchEvent("dragenter", { dataTransfer: data });
	await expect(page.getByText("Drop files here to upload them")).toBeVisible();
	await main.dispatchEvent("drop", { dataTransfer: data });
	await expect(page.getByText("Drop files here to upload them")).toBeHidden();
}

export const tray = (page: Page): Locator => page.getByRole("region", { name: "Uploads" });
export const progressOf = async (page: Page, name: string): Promise<number> =>
	Number(await page.getByRole("progressbar", { name: `Upload of ${name}` }).getAttribute("aria-valuenow"));

/** Limits the page's upload speed, in bytes per second; null for no limit. */
export async function limitSending(page: Page, bytesPerSecond: number | null): Promise<void> {
	const session = await page.context().newCDPSession(page);
	await session.send("Network.emulateNetworkConditions", {
		offline: false,
		latency: 0,
		downloadThroughput: -1,
		uploadThroughput: bytesPerSecond ?? -1,
	});
}

/** Expects that the dashboard serves exactly these bytes as the video. @returns the recording's id */
export async function expectStored({ api, url, apiKey }: Dashboard, name: string, bytes: Buffer): Promise<number> {
	await expect.poll(async () => (await api.recordings()).find((one) => one.name === name)?.state).toBe("ready");
	const { id } = (await api.recordings()).find((one) => one.name === name) ?? { id: 0 };
	const answer = await fetch(`${url}/v1/recordings/${id}/video`, { headers: { authorization: `Bearer ${apiKey}` } });
	expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
	return id;
}
