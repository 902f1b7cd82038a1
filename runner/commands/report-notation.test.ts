import { expect, test } from "vitest";
import { instantOf, lengthReader } from "./report-notation.ts";

test("commas are decimals or thousands as the whole report has them", () => {
	const read = (...texts: string[]) => texts.map(lengthReader(texts));
	expect(read("0,160", "2,012")).toEqual([0.16, 2.012]);
	expect(read("2,012", "1,007")).toEqual([2.012, 1.007]);
	expect(read("1,234.56", "2,012")).toEqual([1234.56, 2012]);
	expect(read("1.234,5")).toEqual([1234.5]);
});

test("a separator that cannot mark thousands is a decimal separator, also in a report that mixes commas and dots", () => {
	const read = (...texts: string[]) => texts.map(lengthReader(texts));
	expect(read("0.160", "0,160", "1,5")).toEqual([0.16, 0.16, 1.5]);
	expect(read("1,234", "12.5")).toEqual([1234, 12.5]);
	expect(read("1.234", "12,5", "1.234,5")).toEqual([1234, 12.5, 1234.5]);
	expect(read("1,234,567", "2,012")).toEqual([1234567, 2012]);
	expect(read("1.234.567", "2,5")).toEqual([1234567, 2.5]);
	expect(read("1.234", "0.5")).toEqual([1.234, 0.5]);
});

test.each([
	["1\u202f234,5", 1234.5],
	["1'234.5", 1234.5],
	["200ms", 0.2],
	["1.5 s", 1.5],
	["PT1M2.5S", 62.5],
	["1h2m3s", 3723],
	["01:02.5", 62.5],
	["1:01:02", 3662],
	["1.5e-3", 0.0015],
	[".5", 0.5],
	["0", 0],
	["", null],
	["NaN", null],
	["soon", null],
	["-", null],
])("the length %s is read as %s seconds", (text, seconds) => {
	expect(lengthReader([text])(text)).toBe(seconds);
});

const UTC = { zone: "utc", order: "month" } as const;
test.each([
	"2026-11-25T10:00:00.000Z",
	"20261125T100000Z",
	"20261125T100000,000Z",
	"20261125T110000+0100",
	"2026-11-25T100000Z",
	"20261125 10:00:00",
	"20261125-100000",
	"20261125100000",
	"20261125100000000",
	"2026-11-25_10-00-00",
	"2026-11-25 10.00.00",
	"2026-11-25 10:00:00,000",
	"2026/11/25 10:00:00",
	"2026-11-25T11:00:00+01:00[Europe/Berlin]",
	"2026-11-25 05:00:00 -0500 EST m=+0.000000001",
	"2026-11-25T05:00:00−05:00",
	"2026-11-25T10:00:00.0000000+00:00",
	"Wed, 25 Nov 2026 10:00:00 +0000",
	"25 Nov 2026 10:00:00 GMT",
	"25/Nov/2026:10:00:00 +0000",
	"Wed Nov 25 10:00:00 2026",
	"Wed Nov 25 2026 11:00:00 GMT+0100 (Central European Standard Time)",
	"Nov 25, 2026, 10:00:00\u202fAM",
	"11/25/26, 10:00 AM",
	"25.11.2026 10:00:00",
	"1795600800",
	"1795600800.000",
	"1795600800,000",
	"1795600800000",
	"1795600800000000",
	"1795600800000000000",
])("%s is ten o'clock", (text) => {
	expect(instantOf(text, UTC)?.at).toBe(Date.parse("2026-11-25T10:00:00Z"));
});

test("a date knows its fraction of a second, whether it has a zone, and how much of it is not written", () => {
	expect(instantOf("20261125T100000.123Z", UTC)).toEqual({ at: 1795600800123, isZoned: true, grain: 0 });
	expect(instantOf("2026-11-25T10:00:00.123456", UTC)).toEqual({ at: 1795600800123, isZoned: false, grain: 0 });
	expect(instantOf("1795600800.123", UTC)).toEqual({ at: 1795600800123, isZoned: true, grain: 0 });
	expect(instantOf("2026-11-25 10:00:00", UTC)).toMatchObject({ isZoned: false, grain: 1_000 });
	expect(instantOf("2026-11-25 10:00", UTC)).toMatchObject({ isZoned: false, grain: 60_000 });
});

test.each([
	"",
	"2026-11-25",
	"20261125",
	"20261325T100000Z",
	"10:00:00",
	"yesterday",
	"0",
	"123",
	"1.795e9x",
])("%j is no instant", (text) => expect(instantOf(text, UTC)).toBeNull());
