/** Compares the results of every search, on both lists and both databases, with a plain filter over the stored rows. */
import { parseSearch } from "@tapedeck/contract/search.ts";
import { expect, test } from "vitest";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";
import { matchesSearch } from "#test/search-matches.ts";

const NAMES = ["Checkout", "Login", "Search results", "Überweisung", '100 % "quoted"', "ab"];
const OUTCOMES = ["passed", "failed", null, "error"] as const;
const COUNT = 48;

onEachDatabase((api) => {
	const runner = protocolRunner(api);
	let made = false;

	/** Jobs with recordings of every combination of labels. */
	const fill = async () => {
		if (made) return;
		made = true;
		for (let index = 0; index < COUNT; index += 1) {
			const labels = {
				build: String(index % 5),
				...(index % 2 === 0 ? { branch: "main" } : { branch: "feature/x y" }),
				...(index % 3 === 0 ? { flaky: "" } : {}),
				...(index % 4 === 0 ? { test: `zebra-${index}` } : {}),
			};
			const { id } = await runner.startJob({ name: NAMES[index % NAMES.length], labels });
			await runner.report(id, firstFrame);
			await runner.report(id, stopped(index % 2 === 0 ? "cancelled" : "ffmpeg_failed", { message: "x" }));
			await runner.storeRecording(id, "ready");
			const { db } = api().app;
			const job = await db.selectFrom("job").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
			const verdict = index % 6 === 0 ? ("black" as const) : ("ok" as const);
			const { labels: stored, searchText, name } = job;
			const values = { labels: stored, searchText, name, verdict, createdAt: index, runnerId: job.runnerId };
			await db
				.updateTable("recording")
				.set({ ...values, labels: "{}" })
				.where("jobId", "=", id)
				.execute();
			await db.updateTable("recording").set({ labels: stored }).where("jobId", "=", id).execute();
			await api().call("PATCH", `/v1/jobs/${id}`, { body: { outcome: OUTCOMES[index % OUTCOMES.length] } });
		}
	};

	const all = async (path: string, query = "") => {
		const found = [];
		let cursor: string | null = null;
		do {
			const next: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
			const { status, body } = await api().call("GET", `${path}?limit=7${query}${next}`);
			expect(status, JSON.stringify(body)).toBe(200);
			found.push(...body.data);
			cursor = body.nextCursor;
		} while (cursor !== null);
		return found;
	};

	test("a search finds exactly what it says, page by page, newest first, in jobs and in recordings", async () => {
		await fill();
		const [jobs, recordings] = [await all("/v1/jobs"), await all("/v1/recordings")];
		expect([jobs.length, recordings.length]).toEqual([COUNT, COUNT]);
		for (const text of [
			...["checkout", "CHECK log", "zebra", "ab", "ze", '"search results"', '"100 %"', "Überweisung"],
			...["build:1", "build:1 build:2", "-build:1", "build:1 branch:main", 'branch:"feature/x y"', "build:nothing"],
			...["label:flaky", "-label:flaky", "label:flaky=", "label:test", "build:3 label:flaky zebra"],
			...["outcome:failed", "outcome:failed outcome:error", "-outcome:failed", "outcome:none", "outcome:none build:2"],
			...["outcome:failed build:1 checkout", "-checkout build:0", "zebra-1", "zebra-12 branch:main", "main"],
			...["after:2020-01-01", "before:2020-01-01", "-after:2020-01-01 build:1", "label:x.y/z=1"],
		]) {
			const { terms, faults } = parseSearch(text);
			expect(faults).toEqual([]);
			const query = `&q=${encodeURIComponent(text)}`;
			const found = {
				jobs: (await all("/v1/jobs", query)).map(({ id }) => id),
				recordings: (await all("/v1/recordings", query)).map(({ id }) => id),
				shortest: (await all("/v1/recordings", `${query}&sort=bytes&order=asc`)).map(({ id }) => id),
			};
			const wanted = {
				jobs: jobs.filter((job) => matchesSearch(terms, { ...job, verdict: job.recording.verdict })),
				recordings: recordings.filter((one) => matchesSearch(terms, { ...one, status: null })),
			};
			const ids = (some: { id: number }[]) => some.map(({ id }) => id);
			expect([text, found.jobs]).toEqual([text, ids(wanted.jobs)]);
			expect([text, found.recordings]).toEqual([text, ids(wanted.recordings)]);
			expect([text, found.shortest.toSorted()]).toEqual([text, ids(wanted.recordings).toSorted()]);
		}
	});

	test("status, verdict and runner are found in both lists", async () => {
		await fill();
		const jobs = await all("/v1/jobs");
		const { runnerId } = jobs[0];
		const { name } = (await api().call("GET", `/v1/runners/${runnerId}`)).body;
		const count = async (path: string, text: string) => (await all(path, `&q=${encodeURIComponent(text)}`)).length;
		for (const path of ["/v1/jobs", "/v1/recordings"]) {
			expect([path, await count(path, "verdict:black")]).toEqual([path, 8]);
			expect([path, await count(path, "-verdict:black build:0")]).toEqual([path, 8]);
			expect([path, await count(path, `runner:${name}`)]).toEqual([path, COUNT]);
			expect([path, await count(path, `runner:${runnerId} build:1`)]).toEqual([path, 10]);
			expect([path, await count(path, "runner:nobody")]).toEqual([path, 0]);
			expect([path, await count(path, `-runner:${name}`)]).toEqual([path, 0]);
			expect([path, await count(path, "status:uploading")]).toEqual([path, COUNT]);
			expect([path, await count(path, "-status:uploading")]).toEqual([path, 0]);
			expect([path, await count(path, "status:queued status:failed")]).toEqual([path, 0]);
		}
		const both = await api().call("GET", "/v1/jobs?status=queued&q=status:uploading");
		expect(both.body.data).toEqual([]);
	});

	test("a session is found by its id and by its name, and its name as a word", async () => {
		const { id } = await runner.startJob({ name: "with a session" });
		await runner.report(id, firstFrame);
		await runner.storeRecording(id, "live");
		const session = { sessionId: `id-of-${runner.name}`, name: `Pay by ${runner.name}`, capabilities: {} };
		await runner.report(id, { type: "session_started", message: "A session began.", session });
		for (const path of ["/v1/jobs", "/v1/recordings"]) {
			for (const text of [`session:id-of-${runner.name}`, `session:"Pay by ${runner.name}"`, `"by ${runner.name}"`]) {
				const found = await all(path, `&q=${encodeURIComponent(text)}`);
				expect([path, text, found.map((one) => one.jobId ?? one.id)]).toEqual([path, text, [id]]);
			}
			expect(await all(path, "&q=session:nothing")).toEqual([]);
			expect(await all(path, `&q=${encodeURIComponent(`-session:id-of-${runner.name} "by ${runner.name}"`)}`)).toEqual(
				[],
			);
		}
	});

	test("a mistake is reported with its place, and a search that is too long is refused", async () => {
		for (const path of ["/v1/jobs", "/v1/recordings"]) {
			const wrong = await api().call("GET", `${path}?q=${encodeURIComponent("checkout biuld:1")}`);
			expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, "q"]);
			expect(wrong.body.errors[0].message).toMatch(/^At character 10 of q: There is no filter "biuld"/);
			const open = await api().call("GET", `${path}?q=${encodeURIComponent('"open')}`);
			expect(open.body.errors[0].message).toContain("Close the quotes");
			expect((await api().call("GET", `${path}?q=${"x".repeat(10_000)}`)).status).toBe(422);
		}
	});

	test("small words never keep a message from being found, in error lines and in names; numbers count", async () => {
		const { id } = await runner.startJob({ name: "Small words", labels: { build: "small" } });
		await runner.report(id, firstFrame);
		const line = { at: new Date().toISOString(), level: "error", text: "AssertionError: price of chair 12 is None" };
		const sent = { raw: `${JSON.stringify(line)}\n`, headers: { "content-type": "application/x-ndjson" } };
		expect((await api().call("POST", `/v1/jobs/${id}/tracks/log`, sent)).status).toBe(200);
		await runner.startJob({ name: "price chair", labels: { build: "small" } });
		const names = async (text: string) =>
			(await all("/v1/jobs", `&q=${encodeURIComponent(`${text} build:small`)}`)).map(({ name }) => name);
		expect(await names("price chair")).toEqual(["price chair", "Small words"]);
		expect(await names("price of chair is None")).toEqual(["Small words"]);
		expect(await names("in price - of chair")).toEqual(["price chair", "Small words"]);
		expect(await names("price of chair 12")).toEqual(["Small words"]);
		expect(await names("price of chair 13")).toEqual([]);
	});

	test("a row says in which line a word was found that its name, build and branch do not show", async () => {
		const { id } = await runner.startJob({ name: "Lines", labels: { build: "lines", suite: "Payment by card" } });
		await runner.report(id, firstFrame);
		await runner.storeRecording(id, "live");
		const session = { sessionId: "lines-1", name: "Visit of the Museum", capabilities: {} };
		await runner.report(id, { type: "session_started", message: "A session began.", session });
		const line = { at: new Date().toISOString(), level: "error", text: "Error: connect ECONNREFUSED db:5432\nat Pool" };
		const sent = { raw: `${JSON.stringify(line)}\n`, headers: { "content-type": "application/x-ndjson" } };
		expect((await api().call("POST", `/v1/jobs/${id}/tracks/log`, sent)).status).toBe(200);
		for (const path of ["/v1/jobs", "/v1/recordings"]) {
			const lineFor = async (text: string) => {
				const [row] = await all(path, `&q=${encodeURIComponent(`${text} build:lines`)}`);
				return row.matchedLine;
			};
			expect(await lineFor("Lines")).toBeUndefined();
			expect(await lineFor("econnrefused")).toBe("error: connect econnrefused db:5432 at pool");
			expect(await lineFor("lines museum")).toBe("Visit of the Museum");
			expect(await lineFor("CARD")).toBe("Payment by card");
			expect(await lineFor('"refused db"')).toBe("error: connect econnrefused db:5432 at pool");
			expect(await lineFor("-nothing")).toBeUndefined();
		}
		expect((await api().call("GET", `/v1/jobs/${id}`)).body.matchedLine).toBeUndefined();
	});
});
