/** Names of tests as real tools write them. */
import { expect, test } from "vitest";
import { readJunit } from "./junit.ts";

const namesIn = (report: string) =>
	readJunit(Buffer.from(report)).cases.map(({ className, name, project }) => [className, name, project]);

test.each([
	{
		tool: "mocha-junit-reporter 2, whose classes are titles",
		report: `<testsuites name="Mocha Tests">
			<testsuite name="Root Suite"><testcase name="top level" classname="top level"/></testsuite>
			<testsuite name="Cart"><testcase name="Cart adds" classname="adds"/></testsuite>
			<testsuite name="of a guest"><testcase name="Cart of a guest adds" classname="adds"/></testsuite></testsuites>`,
		names: [
			["", "top level", ""],
			["Cart", "Cart › adds", ""],
			["Cart of a guest", "Cart of a guest › adds", ""],
		],
	},
	{
		tool: "mocha-junit-reporter with testCaseSwitchClassnameAndName and a report of another name",
		report: `<testsuites name="shop"><testsuite name="of a guest">
			<testcase classname="Cart of a guest adds" name="adds"/></testsuite></testsuites>`,
		names: [["Cart of a guest", "Cart of a guest › adds", ""]],
	},
	{
		tool: "jest-junit 17, whose classes and names are both the whole title",
		report: `<testsuites name="jest tests"><testsuite name="Cart">
			<testcase classname="Cart adds" name="Cart adds"/>
			<testcase classname="Cart of a guest adds" name="Cart of a guest adds"/>
			<testcase classname="Other works" name="Other works"/>
			<testcase classname=" top level" name=" top level"/></testsuite></testsuites>`,
		names: [
			["Cart", "Cart › adds", ""],
			["Cart", "Cart › of a guest adds", ""],
			["", "Other works", ""],
			["", "top level", ""],
		],
	},
	{
		tool: "a tool whose class is the test, in a suite",
		report: '<testsuite name="api"><testcase classname="test_a" name="test_a"/></testsuite>',
		names: [["api", "api › test_a", ""]],
	},
	{
		tool: "WebdriverIO 9, whose classes begin with the browser and its version",
		report: `<testsuites><testsuite name="Cart of all">
			<properties><property name="suiteName" value="Cart of all"/><property name="capabilities" value="chrome.131_0_6778_204.linux"/></properties>
			<testcase classname="chrome.131_0_6778_204.linux.Cart_of_all" name="adds"/>
			<testcase classname="chrome.131_0_6778_204.linux.Shop_Cart_of_all" name="adds"/></testsuite></testsuites>`,
		names: [
			["Cart of all", "Cart of all › adds", "chrome linux"],
			["Shop_Cart_of_all", "Shop_Cart_of_all › adds", "chrome linux"],
		],
	},
	{
		tool: "JUnit and pytest, whose classes are classes",
		report: `<testsuites><testsuite name="Cart"><testcase classname="Cart" name="adds to Cart"/>
			<testcase classname="tests.test_cart" name="test_total[Cart]"/><testcase name="alone"/></testsuite></testsuites>`,
		names: [
			["Cart", "Cart › adds to Cart", ""],
			["tests.test_cart", "tests.test_cart › test_total[Cart]", ""],
			["", "alone", ""],
		],
	},
])("a test has the suite and the title that its tool means: $tool", ({ report, names }) => {
	expect(namesIn(report)).toEqual(names);
});
