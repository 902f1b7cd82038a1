/** A caller does not wait for all the work of another caller. */
import { expect, test } from "vitest";
import { FairTurns, type TurnLimits, type TurnTaker } from "./fair-turns.ts";

const ONE: TurnLimits = { all: 1, organization: 1, caller: 1 };
const taker = (organizationId: number, caller = "a"): TurnTaker => ({ organizationId, caller });

/** Takes turns and notes who has one. */
function scene(limits: TurnLimits) {
	const turns = new FairTurns(limits, () => new Error("Refused."));
	const running: { name: string; end: () => void }[] = [];
	return {
		take: (name: string, who: TurnTaker, signal?: AbortSignal) =>
			turns.take(who, signal).then((end) => void running.push({ name, end })),
		names: async () => {
			await new Promise(setImmediate);
			return running.map(({ name }) => name).sort();
		},
		end: (name: string) => {
			const at = running.findIndex((one) => one.name === name);
			running.splice(at, 1)[0]?.end();
		},
	};
}

test("a caller, an organization and all of them have only so many turns at a time", async () => {
	const { take, names, end } = scene({ all: 3, organization: 2, caller: 1 });
	void take("a1", taker(1, "a"));
	void take("a2", taker(1, "a"));
	void take("b1", taker(1, "b"));
	void take("c1", taker(1, "c"));
	expect(await names()).toEqual(["a1", "b1"]);
	void take("x1", taker(2, "x"));
	void take("y1", taker(3, "y"));
	expect(await names()).toEqual(["a1", "b1", "x1"]);
	end("x1");
	expect(await names()).toEqual(["a1", "b1", "y1"]);
	end("a1");
	expect(await names()).toEqual(["a2", "b1", "y1"]);
	void take("a3", taker(1, "a"));
	end("a2");
	// Before another read of the caller that has just had a turn.
	expect(await names()).toEqual(["b1", "c1", "y1"]);
});

test("organizations take turns, however many turns one of them has waiting", async () => {
	const { take, names, end } = scene(ONE);
	for (let count = 1; count <= 20; count++) void take(`a${count}`, taker(1));
	expect(await names()).toEqual(["a1"]);
	void take("b1", taker(2));
	void take("b2", taker(2));
	void take("c1", taker(3));
	const order: string[] = [];
	for (let turn = 0; turn < 6; turn++) {
		const [name = ""] = await names();
		order.push(name);
		end(name);
	}
	expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("someone who waits is not overtaken again and again by those who come later", async () => {
	const { take, names, end } = scene(ONE);
	void take("first", taker(1));
	await names();
	void take("patient", taker(2));
	for (let organization = 3; organization < 10; organization++) void take(`late ${organization}`, taker(organization));
	end("first");
	expect(await names()).toEqual(["patient"]);
});

test("a turn that does not come in time is given up, and takes no place afterwards", async () => {
	const { take, names, end } = scene({ ...ONE, waitMs: 50 });
	void take("a", taker(1));
	await names();
	await expect(take("b", taker(1))).rejects.toThrow("Refused.");
	end("a");
	void take("c", taker(1));
	expect(await names()).toEqual(["c"]);
});

test("a caller has only so many turns waiting, and one that leaves makes room", async () => {
	const { take, names, end } = scene({ ...ONE, waiting: 2 });
	const leaving = new AbortController();
	void take("a1", taker(1, "a"));
	void take("a2", taker(1, "a"));
	const left = take("a3", taker(1, "a"), leaving.signal);
	await expect(take("a4", taker(1, "a"))).rejects.toThrow("Refused.");
	void take("b1", taker(1, "b"));
	leaving.abort(new Error("Gone."));
	await expect(left).rejects.toThrow("Gone.");
	void take("a5", taker(1, "a"));
	const order: string[] = [];
	for (let turn = 0; turn < 4; turn++) {
		const [name = ""] = await names();
		order.push(name);
		end(name);
	}
	expect(order).toEqual(["a1", "b1", "a2", "a5"]);
});
