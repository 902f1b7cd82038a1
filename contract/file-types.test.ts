import { expect, test } from "vitest";
import { nameOfFile, typeOfBytes, typeOfFile } from "./file-types.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text.padEnd(16, "\0"), (sign) => sign.charCodeAt(0));
const of = (name: string, text = "") => Object.values(typeOfFile(name, bytes(text))).join(" ");

test("a file is what its first bytes say, whatever its name is", () => {
	expect(of("notes.txt", "\0\0\0\x1cftypisom")).toBe("video video/mp4");
	expect(of("a.png", "\x1a\x45\xdf\xa3\x01B\x82\x84webm")).toBe("video video/webm");
	expect(of("a.mp4", "\x89PNG\r\n\x1a\n")).toBe("image image/png");
	expect(of("a", "\xff\xd8\xff\xe0")).toBe("image image/jpeg");
	expect(of("a", "GIF89a")).toBe("image image/gif");
	expect(of("a", "RIFF\0\0\0\0WEBP")).toBe("image image/webp");
});

test("other files are known by their names, and one that is named like a video stays a video", () => {
	expect(of("report.HTML")).toBe("document text/html");
	expect(of("a/b.c/result.json", "{}")).toBe("document application/json");
	expect(of("broken.mp4", "no video")).toBe("video video/mp4");
	expect(of("empty.png")).toBe("other application/octet-stream");
	expect(of("trace.zip", "PK")).toBe("other application/zip");
	for (const name of ["", "dump", ".", "x.constructor", "x.__proto__", "name.png "])
		expect(of(name)).toBe("other application/octet-stream");
	expect(typeOfBytes(new Uint8Array())).toBeNull();
});

test("a recording is named after its file, videos and images without the extension", () => {
	const names = (...of: string[]) => of.map((name) => nameOfFile(name, "video").name);
	expect(names("Run 1.mp4", "a.b.webm", ".mp4", "plain")).toEqual(["Run 1", "a.b", "Upload", "plain"]);
	expect(names("\u200b.mp4", "a\nb.mp4", `${"x".repeat(250)}.mp4`)).toEqual(["Upload", "a b", "x".repeat(200)]);
	// No file has such an extension.
	expect(names("Release 2.a-b", "v1.a_b")).toEqual(["Release 2.a-b", "v1.a_b"]);
	expect([nameOfFile("Shop.png", "image").name, nameOfFile("notes.md", "document").name]).toEqual(["Shop", "notes.md"]);
});

test("a video of docker-selenium is named after its test, with its session as a label", () => {
	const session = "0123456789abcdef0123456789abcdef";
	expect(nameOfFile(`Pays by card_${session}.mp4`, "video")).toEqual({ name: "Pays by card", labels: { session } });
	expect(nameOfFile(`_${session}.mp4`, "video")).toEqual({ name: session, labels: { session } });
	const long = `${"x".repeat(210)}_${session}.mp4`;
	expect(nameOfFile(long, "video")).toEqual({ name: "x".repeat(200), labels: { session } });
	expect(nameOfFile(`Shop_${session}.png`, "image")).toEqual({ name: `Shop_${session}`, labels: {} });
});
