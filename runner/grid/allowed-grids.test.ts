import { expect, test } from "vitest";
import { AllowedGrids } from "./allowed-grids.ts";

function allowed(text: string): AllowedGrids {
	const list = AllowedGrids.parse(text);
	if (typeof list === "string") throw new Error(list);
	return list;
}

test.each([
	["http://grid:4444", "http://grid:4444/wd/hub/status"],
	["http://grid:4444/", "http://GRID:4444"],
	["http://grid", "http://grid:80/wd/hub/status"],
	["https://grid", "https://grid/wd/hub/status"],
	["grid", "https://grid:4444/any"],
	["grid:80", "http://grid/any"],
	["grid:443", "https://grid/any"],
	["*.grid.example", "http://a.b.grid.example:4444"],
	["https://*.grid.example:4444", "https://a.grid.example:4444"],
	["http://grid:4444/team-a", "http://grid:4444/team-a"],
	["http://grid:4444/team-a/", "http://grid:4444/team-a/wd/hub/status"],
	["[::1]:4444", "http://[::1]:4444/status"],
	["127.0.0.1:4444", "http://0x7f.1:4444/status"],
	["other, grid", "http://grid"],
])("%s allows %s", (list, url) => {
	expect(allowed(list).has(url)).toBe(true);
});

test.each([
	["http://grid:4444", "https://grid:4444"],
	["http://grid:4444", "http://grid:4445"],
	["http://grid", "http://grid:4444"],
	["grid:443", "http://grid"],
	["grid", "http://grid.example"],
	["grid", "http://agrid"],
	["*.grid.example", "http://grid.example"],
	["*.grid.example", "http://evilgrid.example"],
	["*.grid.example", "http://a.grid.example.evil"],
	["grid", "http://grid@evil.example/"],
	["grid", "http://evil.example/grid"],
	["grid", "http://evil.example#grid"],
	["http://grid/team-a", "http://grid/team-ab"],
	["http://grid/team-a", "http://grid/team-a/../team-b"],
	["http://grid/team-a", "http://grid/team-a/%2e%2e/team-b"],
	["http://grid/team-a", "http://grid/team-a/..%2fteam-b"],
	["http://grid/team-a", "http://grid/team-a\\..\\team-b"],
	["grid", "ftp://grid"],
	["grid", "grid"],
])("%s does not allow %s", (list, url) => {
	expect(allowed(list).has(url)).toBe(false);
});

test("without a list every grid is allowed", () => {
	expect(AllowedGrids.all.has("http://anything:1/")).toBe(true);
});

test.each([
	"",
	",",
	"*",
	"*.",
	"http://",
	"ftp://grid",
	"http://me:pw@grid",
	"grid:port",
	"grid:99999",
	"a.*.b",
	"*.127.0.0.1",
	"grid?x",
	"grid other",
	"http://grid/*",
])("the list %j is refused with a sentence", (text) => {
	expect(AllowedGrids.parse(text)).toMatch(/^Use grids such as .+\.$/);
});
