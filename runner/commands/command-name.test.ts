import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { expect, test } from "vitest";
import { nameOfCommand } from "./command-name.ts";

const nothing = new SecretMask({});

test("a recording is named after the first line of what is run, without folders of the machine", () => {
	for (const [words, name] of [
		[["npm", "test"], "npm test"],
		[["/usr/bin/mvn", "-B", "-Dtest=CheckoutTest", "verify"], "mvn -B -Dtest=CheckoutTest verify"],
		[
			["node", "/home/ci/shop/node_modules/playwright/cli.js", "test", "--shard", "1/2"],
			"node cli.js test --shard 1/2",
		],
		[["pytest", "tests/unit", "-k", "pays and not slow"], "pytest tests/unit -k 'pays and not slow'"],
		[["sh", "-c", "npm ci && npm test"], "npm ci && npm test"],
		[["/bin/bash", "-euxc", '\n\tcd "$0"\n\texec "$@"', "/tmp/a", "mvn"], 'cd "$0"'],
		[["bash", "run.sh", "-c", "ci.json"], "bash run.sh -c ci.json"],
		[["python", "-c", "import shop\nshop.run()"], "python -c 'import shop"],
		[["echo", "it's"], "echo 'it'\\''s'"],
		[["sh", "-c", "\n \u0007\n"], undefined],
	] as const) {
		expect(nameOfCommand(words, nothing)).toBe(name);
	}
});

test("a long command is cut with an ellipsis, and what makes it another test stays where it fits", () => {
	const name = (suite: string) => nameOfCommand(["pytest", suite, "x".repeat(200)], nothing) ?? "";
	expect(name("tests/unit")).toHaveLength(80);
	expect(name("tests/unit")).toMatch(/^pytest tests\/unit x+…$/);
	expect(name("tests/unit")).not.toBe(name("tests/smoke"));
	// Not within a character.
	expect(nameOfCommand(["echo", "🙂".repeat(100)], nothing)?.isWellFormed()).toBe(true);
});

test("no secret of a command is in its name: those of the mask, of options, variables and addresses", () => {
	const mask = new SecretMask({ SHOP_TOKEN: "tok-0123456789" }, ["sesame"]);
	for (const [words, name] of [
		[["deploy", "--as", "tok-0123456789", "sesame"], "deploy --as *** ***"],
		[["deploy", "--password", "hunter2", "--api-key=hunter2", "now"], "deploy --password *** --api-key=*** now"],
		[["deploy", "--password", "hunter 2", "-Ddb.password=hunter2"], "deploy --password *** -Ddb.password=***"],
		[["env", "DB_PASSWORD=hunter2", "npm", "test"], "env DB_PASSWORD=*** npm test"],
		[["sh", "-c", "API_KEY='hunter 2' npm test --token \"hunter2\""], "API_KEY=*** npm test --token ***"],
		[["curl", "https://me:hunter2@shop.example/"], "curl https://***@shop.example/"],
		[["curl", "-H", "Authorization: Bearer hunter2", "shop.example"], "curl -H 'Authorization: ***' shop.example"],
		[["npm", "run", "password", "reset"], "npm run password reset"],
	] as const) {
		expect(nameOfCommand(words, mask)).toBe(name);
	}
	expect(nameOfCommand(["login", "it's a secret"], new SecretMask({}, ["it's a secret"]))).toBe("login ***");
	// Cut within it.
	expect(nameOfCommand(["x".repeat(70), "tok-0123456789"], mask)).not.toContain("tok");
});
