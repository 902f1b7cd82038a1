import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { LocalRecording } from "../control/messages.ts";
import type { Call } from "./command.ts";
import { testReports } from "./test-reports.ts";

/** Results that are sent for a report that was just written. */
async function sentOf(report: string, mask: SecretMask) {
	const folder = await temporaryFolder("reports");
	const startedAt = Date.now() - 3_000;
	await writeFile(join(folder, "report.xml"), report);
	const remarks: string[] = [];
	const call = { values: { report: [join(folder, "*.xml")] }, remark: (text: string) => remarks.push(text) };
	const begun = { startedAt: new Date(startedAt).toISOString() };
	const { markers, tests } = await testReports(call as unknown as Call, begun as LocalRecording, { startedAt, mask });
	return { markers, tests, remarks };
}

test("no secret of a report is in results, markers and remarks, whatever it is in and wherever it is cut", async () => {
	const mask = new SecretMask({ SHOP_TOKEN: "tok-0123456789" }, ["sesame"]);
	const cases = [
		`<testcase classname="shop" name="signs in as tok-0123456789" time="1">
			<failure message="refused tok-01&#x1B;[7m2345&#x1B;[27m6789">at sign-in\nCookie: only=in-a-header</failure>
		</testcase>`,
		`<testcase classname="shop.sesame" name="Cookie: is refused" time="1" file="sesame.ts"/>`,
		`<testcase classname="shop" name="not today" time="0"><skipped message="while sesame is shut"/></testcase>`,
		`<testcase classname="shop" name="again" time="0"><flakyFailure message="sesame">sesame</flakyFailure></testcase>`,
		// Within the secret, what is read of a stack ends.
		`<testcase classname="shop" name="long" time="1"><failure>${"x".repeat(15_990)}tok-0123456789</failure></testcase>`,
		`<testcase classname="shop" name="never sesame" timestamp="2001-01-01T00:00:00Z"><failure/></testcase>`,
	];
	const suite = `<testsuite name="sesame"><error message="Cookie: of-the-suite"/></testsuite>`;
	const sent = await sentOf(`<testsuites>${suite}<testsuite time="4">${cases.join("")}</testsuite></testsuites>`, mask);
	expect(JSON.stringify(sent)).not.toMatch(/tok-0|sesame|only=in|of-the-suite/);
	// Failed tests are first.
	expect(sent.tests.map(({ test }) => test)).toEqual([
		...["*** › (outside of tests)", "shop › signs in as ***", "shop › again", "shop › long", "shop › never ***"],
		...["shop.*** › Cookie: is refused", "shop › not today", "shop › again"],
	]);
	const [, signsIn, , long, , cookie, notToday] = sent.tests;
	expect(signsIn).toMatchObject({ message: "refused ***", stack: expect.stringContaining("Cookie: ***") });
	expect(long?.stack?.length).toBeGreaterThan(15_900);
	expect(cookie).toMatchObject({ key: "shop.*** › Cookie: is refused#1", file: "***.ts" });
	expect(notToday).toMatchObject({ outcome: "skipped", message: "while *** is shut" });
	expect(sent.markers.map(({ label }) => label)).toContainEqual(expect.stringContaining("signs in as ***"));
});
