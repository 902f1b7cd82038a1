/** Jobs for which their runner makes a display. */
import { beforeEach, expect, test } from "vitest";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";

onOneDatabase((api) => {
	const runner = protocolRunner(api);
	const make = async (virtualDisplays: number | null) => {
		runner.virtualDisplays = virtualDisplays;
		await runner.signIn();
	};
	beforeEach(() => make(2));

	const create = (body: object) => api().call("POST", "/v1/jobs", { body: { stopCondition: "interrupt", ...body } });
	const onNew = (more: object = {}) => ({ runnerId: runner.runnerId, displayId: "new", ...more });
	const startedIds = async () => (await runner.sync()).start.map(({ id }) => id);

	test("a job for a new display shows which display its runner made once it records", async () => {
		const job = await runner.createJob(onNew({ display: { width: 800, height: 600 } }));
		expect(job).toMatchObject({ displayId: "new", display: { width: 800, height: 600 }, status: "queued" });
		expect(job.name).toMatch(/^new display on /);
		const [order] = (await runner.sync()).start;
		expect(order).toMatchObject({ id: job.id, displayId: "new", display: { width: 800, height: 600 } });
		await runner.report(job.id, { ...firstFrame, displayId: ":104" });
		expect(await runner.readJob(job.id)).toMatchObject({ displayId: ":104", status: "recording" });
	});

	test("a job without a size leaves it to the runner", async () => {
		const job = await runner.createJob(onNew());
		expect(job.display).toEqual({});
		expect((await runner.sync()).start).toEqual([expect.not.objectContaining({ display: expect.anything() })]);
	});

	test("a report cannot move a job that names its display to another one", async () => {
		const { id } = await runner.startJob();
		await runner.report(id, { ...firstFrame, displayId: ":104" });
		const job = await runner.readJob(id);
		expect(job.displayId).toBe(":99");
		expect(job).not.toHaveProperty("display");
	});

	test("a job waits, and says why, while all virtual displays of its runner are in use", async () => {
		const first = await runner.createJob(onNew());
		const second = await runner.createJob(onNew());
		const third = await runner.createJob(onNew());
		const other = await runner.createJob();
		expect(await startedIds()).toEqual([first.id, second.id, other.id]);
		const waiting = (await runner.events(third.id)).find(({ type }) => type === "waiting");
		expect(waiting?.message).toBe(`Waiting: all 2 virtual displays of ${runner.name} are in use.`);
		expect(await runner.eventTypes(second.id)).not.toContain("waiting");
		await runner.report(first.id, firstFrame, stopped("cancelled"));
		expect(await startedIds()).toContain(third.id);
	});

	test("a job waits, and says why once, while programs of the runner's machine have its displays", async () => {
		const job = await runner.createJob(onNew());
		const { body: pooled } = await create({ selector: { labels: {}, display: "new" } });
		runner.lentDisplays = 2;
		expect([await startedIds(), await startedIds()]).toEqual([[], []]);
		const waiting = (await runner.events(job.id)).filter(({ type }) => type === "waiting");
		const message = `Waiting: all 2 virtual displays of ${runner.name} are in use, 2 of them by programs of its machine.`;
		expect(waiting).toEqual([expect.objectContaining({ message })]);
		runner.lentDisplays = 1;
		expect(await startedIds()).toEqual([job.id]);
		runner.lentDisplays = undefined;
		expect(await startedIds()).toContain(pooled.id);
	});

	test("a job for any runner that makes displays is taken by one that has a display left", async () => {
		const selector = { labels: {}, display: "new" };
		const before = await runner.createJob(onNew());
		const { status, body: job } = await create({ selector });
		expect([status, job.displayId, job.selector]).toEqual([201, "new", selector]);
		const { body: next } = await create({ selector });
		expect(await startedIds()).toEqual([before.id, job.id]);
		await runner.report(before.id, firstFrame, stopped("cancelled"));
		expect(await startedIds()).toContain(next.id);
	});

	test("a runner says how many displays it makes, and one that makes none is refused new ones", async () => {
		const shown = async () => (await api().call("GET", `/v1/runners/${runner.runnerId}`)).body.virtualDisplays;
		expect(await shown()).toBe(2);
		await make(null);
		expect(await shown()).toBeNull();
		const { status, body } = await create(onNew());
		expect(status).toBe(422);
		expect(body.errors).toEqual([
			{ path: "displayId", code: "no_virtual_displays", message: expect.stringContaining(`${runner.name} does not`) },
		]);
	});

	test("a waiting job is handed to a runner that no longer makes displays, which says why it fails", async () => {
		const { id } = await runner.createJob(onNew());
		await make(null);
		expect(await startedIds()).toEqual([id]);
	});

	test.each([
		[{ display: { width: 1, height: 1 } }, "display.width", /from 16 to 8192/],
		[{ display: { width: 16_384, height: 720 } }, "display.width", /from 16 to 8192/],
		[{ display: "1280x720" }, "display", /Send display as an object/],
		[{ displayId: ":99", display: { width: 640, height: 480 } }, "display", /only a new display can have any size/],
		[{ displayId: "newest" }, "displayId", /or "new" for one/],
		[{ preSeconds: 5 }, "preSeconds", /has shown nothing before/],
	])("%j is refused", async (more, path, message) => {
		const { status, body } = await create(onNew(more));
		expect(status).toBe(422);
		expect(body.errors).toContainEqual(expect.objectContaining({ path, message: expect.stringMatching(message) }));
	});
});
