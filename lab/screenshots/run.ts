/**
 * `npm run screenshots -- <folder> [filter…]`: takes every page and state at every width, light and dark. Filters are
 * names of views, widths, `light` or `dark`. `npm run screenshots -- --docs [view…]` takes the ones that the README and
 * the guides show. `npm run screenshots -- --agents` takes those that agents and workers of tests make.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { root } from "#test/stack.ts";
import { takeAgentPictures } from "./agents.ts";
import { README } from "./readme.ts";
import { type Scene, setScene } from "./scene.ts";
import { launchBrowser, signIn } from "./signed-in.ts";
import { SIGNED_OUT, VIEWS, type View } from "./views.ts";

const SIZES = [
	[390, 844],
	[768, 1024],
	[1280, 720],
	[1440, 900],
	[2560, 1440],
] as const;
const SCHEMES = ["light", "dark"] as const;

interface Picture {
	view: string;
	width: number;
	height: number;
	scheme: (typeof SCHEMES)[number];
	file: string;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const everything = { ...VIEWS, ...SIGNED_OUT };

const [target, ...filters] = process.argv.slice(2);
if (target === "--agents") {
	await takeAgentPictures();
	process.exit();
}
const known = [...Object.keys(everything), ...SIZES.map(([width]) => String(width)), ...SCHEMES];
const unknown = filters.filter((filter) => !known.includes(filter));
if (target === undefined || unknown.length > 0) {
	say(`Specify a folder: npm run screenshots -- <folder> [filter…]. Filters: ${known.join(", ")}.`);
	process.exit(1);
}
const pictures: Picture[] = target === "--docs" ? guidePictures() : allPictures(target);
const scene = await setScene(say);
const browser = await launchBrowser();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void browser.close());
try {
	const owner = await signIn(browser, scene);
	for (const picture of pictures) await take(browser, scene, picture, owner);
} finally {
	await browser.close();
	await scene.stop();
}

function allPictures(folder: string): Picture[] {
	const chosen = <T>(all: readonly T[], nameOf: (one: T) => string) => {
		const some = all.filter((one) => filters.includes(nameOf(one)));
		return some.length === 0 ? all : some;
	};
	return chosen(Object.keys(everything), (view) => view).flatMap((view) =>
		chosen(SIZES, ([width]) => String(width)).flatMap(([width, height]) =>
			chosen(SCHEMES, (scheme) => scheme).map((scheme) => {
				const file = join(folder, `${view}-${width}-${scheme}.png`);
				return { view, width, height, scheme, file };
			}),
		),
	);
}

function guidePictures(): Picture[] {
	const some = README.filter(({ view }) => filters.includes(view));
	return (some.length === 0 ? README : some).map(readmePicture);
}

function readmePicture({ view, size, scheme, file }: (typeof README)[number]): Picture {
	const [width, height] = size === "phone" ? [390, 844] : [1440, 900];
	return { view, width, height, scheme, file: join(root, "docs", "screenshots", file) };
}

type SignedIn = Awaited<ReturnType<typeof signIn>>;

/** A view that fails is reported, and the others are taken. */
async function take(browser: Browser, scene: Scene, picture: Picture, owner: SignedIn): Promise<void> {
	const { view, width, height, scheme, file } = picture;
	const phone = width < 500;
	const context = await browser.newContext({
		baseURL: scene.dashboard.url,
		viewport: { width, height },
		colorScheme: scheme,
		reducedMotion: "reduce",
		isMobile: phone,
		hasTouch: phone,
		storageState: view in SIGNED_OUT ? undefined : owner,
	});
	try {
		const page: Page = await context.newPage();
		page.setDefaultTimeout(15_000);
		await (everything[view] as View)(page, scene);
		await mkdir(join(file, ".."), { recursive: true });
		await page.screenshot({ path: file });
	} catch (error) {
		process.exitCode = 1;
		say(`${view} at ${width}, ${scheme}, failed: ${(error as Error).message.split("\n")[0]}`);
	} finally {
		await context.close();
	}
}
