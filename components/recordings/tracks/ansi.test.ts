import { describe, expect, test } from "vitest";
import { ansiPieces } from "./ansi.ts";

const ESC = "\u001b";
const colors = (text: string) => ansiPieces(text).map(({ text, color }) => [text, color]);

describe("ansiPieces", () => {
	test("text without sequences is one piece, and no text is none", () => {
		expect(ansiPieces("<b>plain</b>")).toEqual([
			{ text: "<b>plain</b>", color: null, bold: false, dim: false, italic: false, underline: false },
		]);
		expect(ansiPieces("")).toEqual([]);
		expect(ansiPieces(`${ESC}[31m${ESC}[0m`)).toEqual([]);
	});

	test("colours last until another one, or until they are reset", () => {
		expect(colors(`a${ESC}[31mb${ESC}[92mc${ESC}[39md${ESC}[36me${ESC}[mf`)).toEqual([
			["a", null],
			["b", "red"],
			["c", "green"],
			["d", null],
			["e", "cyan"],
			["f", null],
		]);
	});

	test("weights add up, and each ends by its own code", () => {
		const [all, less] = ansiPieces(`${ESC}[1;3;4;33mall${ESC}[22;24mless`);
		expect(all).toMatchObject({ color: "yellow", bold: true, italic: true, underline: true });
		expect(less).toMatchObject({ color: "yellow", bold: false, italic: true, underline: false });
	});

	test("colours of 256, and of red, green and blue, are the nearest ones; backgrounds and greys are left out", () => {
		expect(colors(`${ESC}[38;5;196mred`)).toEqual([["red", "red"]]);
		expect(colors(`${ESC}[38;5;12mblue`)).toEqual([["blue", "blue"]]);
		expect(colors(`${ESC}[38;2;250;200;20mgold`)).toEqual([["gold", "yellow"]]);
		expect(colors(`${ESC}[38:2:20:200:210mteal`)).toEqual([["teal", "cyan"]]);
		expect(colors(`${ESC}[38;5;244mgrey`)).toEqual([["grey", null]]);
		expect(colors(`${ESC}[41;37mon red`)).toEqual([["on red", "white"]]);
		expect(colors(`${ESC}[48;5;196;32mgreen on red`)).toEqual([["green on red", "green"]]);
	});

	test("nonsense changes nothing, and costs no text", () => {
		expect(colors(`${ESC}[999;;;:m${ESC}[38m${ESC}[38;5m${ESC}[38;2;1mtext`)).toEqual([["text", null]]);
		expect(colors(`${ESC}[text`)).toEqual([[`${ESC}[text`, null]]);
	});
});
