/** The picture that a <video> shows, as PNG. */

const PNG = "image/png";

function pngOf(video: HTMLVideoElement): Promise<Blob> {
	const canvas = document.createElement("canvas");
	canvas.width = video.videoWidth;
	canvas.height = video.videoHeight;
	canvas.getContext("2d")?.drawImage(video, 0, 0);
	return new Promise((resolve, reject) =>
		canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), PNG),
	);
}

/** @returns false where browsers keep the clipboard from pages: those that are not served securely, among others. */
export async function copyFrame(video: HTMLVideoElement): Promise<boolean> {
	if (navigator.clipboard?.write === undefined || typeof ClipboardItem === "undefined") return false;
	try {
		// The promise itself is given: some browsers allow it only in the very moment of the click.
		await navigator.clipboard.write([new ClipboardItem({ [PNG]: pngOf(video) })]);
		return true;
	} catch {
		return false;
	}
}

/** @param name what the file is called; signs that files cannot have in their names are replaced. */
export async function saveFrame(video: HTMLVideoElement, name: string): Promise<void> {
	const address = URL.createObjectURL(await pngOf(video));
	const link = document.createElement("a");
	link.href = address;
	link.download = name.replace(/[\\/:*?"<>|]/g, "-");
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
