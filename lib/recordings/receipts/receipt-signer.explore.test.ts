/** Receipts are verified by a program of others: securesystemslib, which TUF and in-toto use. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { PREDICATE_TYPE, STATEMENT_TYPE, type Statement } from "@tapedeck/contract/receipt.ts";
import { expect, test } from "vitest";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { ReceiptSigner } from "./receipt-signer.ts";

const run = promisify(execFile);

const VERIFY = `
import json, sys
from securesystemslib.dsse import Envelope
from securesystemslib.signer import Key
keys = json.load(open(sys.argv[2]))["keys"]
envelope = Envelope.from_dict(json.load(open(sys.argv[1])))
print(*envelope.verify([Key.from_dict(keyid, key) for keyid, key in keys.items()], 1))
`;

test("securesystemslib verifies a receipt with the published keys, and refuses one that was changed", async () => {
	const folder = await temporaryFolder("receipt");
	const python = join(folder, "venv", "bin", "python");
	await run("python3", ["-m", "venv", join(folder, "venv")]);
	await run(python, ["-m", "pip", "install", "--quiet", "securesystemslib[crypto]==1.6.0"]);
	const signer = new ReceiptSigner(["1".repeat(64), "2".repeat(64)]);
	const statement = { _type: STATEMENT_TYPE, predicateType: PREDICATE_TYPE, subject: [] } as unknown as Statement;
	const receipt = signer.sign(statement);
	const verify = async (envelope: object) => {
		await writeFile(join(folder, "receipt.json"), JSON.stringify(envelope));
		await writeFile(join(folder, "keys.json"), JSON.stringify(signer.publicKeys()));
		const { stdout } = await run(python, ["-c", VERIFY, join(folder, "receipt.json"), join(folder, "keys.json")]);
		return stdout.trim();
	};
	expect(await verify(receipt)).toBe(receipt.signatures[0]?.keyid);
	const payload = Buffer.from(JSON.stringify({ ...statement, subject: [1] })).toString("base64");
	await expect(verify({ ...receipt, payload })).rejects.toThrow("VerificationError");
});
