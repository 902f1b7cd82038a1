/** A virtual display with a moving picture and a clock: about a twentieth of one core. */
import { Remedy } from "./remedy.mjs";
import { startService } from "./service.mjs";

const WIDTH = 1280;
const HEIGHT = 720;

// Without -noreset the server starts over whenever its last client leaves.
const screen = ["-screen", "0", `${WIDTH}x${HEIGHT}x24`, "-nolisten", "tcp", "-noreset"];
const NAME = "the virtual display";

/**
 * Starts Xvfb on a free display.
 * @returns `{ service, opened }`; `opened` resolves with the display's id, such as `:7`, or rejects with a Remedy.
 */
export function openDisplay() {
	const service = startService(NAME, "Xvfb", ["-displayfd", "3", ...screen], { stdio: ["pipe"] });
	const reported = new Promise((resolve) => {
		let text = "";
		service.child.stdio[3].setEncoding("utf8").on("data", (part) => {
			text += part;
			if (text.endsWith("\n")) resolve(`:${text.trim()}`);
		});
		setTimeout(resolve, 15_000, null).unref();
	});
	const opened = Promise.race([reported, service.exited.then(() => null)]).then((id) => {
		if (id !== null) return id;
		throw new Remedy(
			`Xvfb does not start. Run it alone (Xvfb :99), fix what it reports, then start again:\n${service.lastLines()}`,
		);
	});
	return { service, opened };
}

/** Starts Xvfb again on a display that was open before. */
export const reopenDisplay = (id) => startService(NAME, "Xvfb", [id, ...screen]);

/** A slow gradient, made small and scaled up because that is cheap, with a clock and a bar that runs below. */
function graph({ withText }) {
	const gradient = "gradients=s=320x180:r=8:n=3:c0=0x14213d:c1=0x2a6f97:c2=0x61a5c2:speed=0.03";
	const text = [
		"drawtext=font=Sans:fontcolor=white:fontsize=132:x=(w-tw)/2:y=(h-th)/2-30:text='%{localtime\\:%T}'",
		"drawtext=font=Sans:fontcolor=white@0.75:fontsize=30:x=(w-tw)/2:y=h/2+80:text='Tapedeck demo display'",
	];
	const bar = "drawbox=x='mod(t*128\\,1280)':y=700:w=120:h=8:color=white@0.8:t=fill";
	// The clock is drawn when its frame is due, instead of as early as ffplay buffers: 25 frames, which is three seconds.
	const paced = "realtime";
	return [gradient, `scale=${WIDTH}:${HEIGHT}:flags=fast_bilinear`, paced, ...(withText ? text : []), bar].join(",");
}

/**
 * The environment of ffplay on a virtual display. It copies the picture into the window, because OpenGL, the default,
 * needs three times as much processor time there.
 */
export const FFPLAY_ENV = {
	SDL_RENDER_DRIVER: "software",
	SDL_FRAMEBUFFER_ACCELERATION: "0",
	SDL_AUDIODRIVER: "dummy",
};

/** Starts the picture on a display. `withText: false` does without fonts. */
export function startPicture(id, { withText = true } = {}) {
	const window = ["-noborder", "-left", "0", "-top", "0", "-x", String(WIDTH), "-y", String(HEIGHT)];
	// After a pause of the machine the frames that are late are left out.
	const prompt = ["-sync", "ext", "-framedrop", "-fflags", "nobuffer", "-flags", "low_delay"];
	const args = ["-hide_banner", "-loglevel", "error", "-nostats", "-an", ...prompt, ...window];
	const env = { ...process.env, DISPLAY: id, ...FFPLAY_ENV };
	// SIGTERM makes ffplay call exit() from within its handler, which about once in a hundred times never returns.
	const options = { env, deathSignal: "KILL" };
	return startService("the moving picture", "ffplay", [...args, "-f", "lavfi", "-i", graph({ withText })], options);
}
