/** The runner's parts, wired together. */

import { overrideVideo, type VideoFormat, videoFormat } from "@tapedeck/contract/video-options.ts";
import { AnswerHandler } from "./apply-answer.ts";
import { errorMessage } from "./base/fault.ts";
import type { RunnerLog } from "./base/log.ts";
import { proxyFor, proxyProblem } from "./base/proxy.ts";
import { Buffers } from "./capture/buffers.ts";
import { DisplayPictures } from "./capture/display-pictures.ts";
import { checkFfmpeg } from "./capture/ffmpeg-check.ts";
import { keepWatchdog } from "./capture/watchdog.ts";
import type { RunnerConfig } from "./config/config.ts";
import { type ControlServer, serveControl } from "./control/control-server.ts";
import { ControlService } from "./control/control-service.ts";
import { DashboardClient } from "./dashboard/client.ts";
import { Connection } from "./dashboard/connection.ts";
import { LongPoll } from "./dashboard/long-poll.ts";
import { Reporter } from "./dashboard/reporter.ts";
import { Displays } from "./displays/displays.ts";
import { VirtualDisplays } from "./displays/virtual-displays.ts";
import { FileUploads } from "./file-uploads.ts";
import type { JobRuns } from "./job-runs.ts";
import type { JobOptions, JobRun, JobTools } from "./run-job.ts";
import { Screenshots } from "./screenshots.ts";
import { SetAside } from "./set-aside.ts";
import { takeDataDir } from "./spool/data-dir.ts";
import { type JobOrder, type JobSpool, Spool } from "./spool/spool.ts";
import type { DeliveryRules } from "./upload/deliver.ts";

/** The agent as its parts see it. */
export interface AgentHooks {
	runs: JobRuns;
	/** Aborted when the runner was asked to stop. */
	shutdown: AbortSignal;
	/** Aborted when no new recording may start. */
	noNewJobs: AbortSignal;
	/** Aborted when everything is closed. */
	closed: AbortSignal;
	deliversOnly: boolean;
	isTemporary: boolean;
	deliveryRules: DeliveryRules;
	takesNoJobs(): boolean;
	/** Whether jobs, and perhaps their encoders, are left to the next start. */
	isLeft(): boolean;
	/** Starts or resumes the run of a spool. */
	add(spool: JobSpool): JobRun;
	begin(order: JobOrder, options: JobOptions): Promise<JobRun>;
	leave(): void;
	restartWhenIdle(): Promise<void>;
	removed(): void;
	onJobError(spool: JobSpool, error: unknown): void;
}

export interface AgentParts {
	displays: Displays;
	virtualDisplays: VirtualDisplays;
	connection: Connection;
	reporter: Reporter;
	longPoll: LongPoll;
	setAside: SetAside;
	screenshots: Screenshots;
	fileUploads: FileUploads;
	buffers: Buffers;
	spool: Spool;
	/** Dependencies of every job. */
	tools: JobTools;
	controlService: ControlService;
	/** From now on the commands on this machine reach the runner. */
	serveCommands(): Promise<void>;
}

/**
 * Opens the parts one after the other.
 * @param opened gets what closes each of them.
 * @throws FatalError with a one-sentence cause.
 */
export async function openParts(
	config: RunnerConfig,
	log: RunnerLog,
	hooks: AgentHooks,
	opened: AsyncDisposableStack,
): Promise<AgentParts> {
	const { runs, shutdown, closed } = hooks;
	const version = await checkFfmpeg(config.ffmpeg, config.childEnv);
	log.info(`Runner "${config.name}", ${version.split(" Copyright")[0]}, data in ${config.dataDir}.`);
	logProxy(config, log);

	const dataDir = await takeDataDir(config.dataDir);
	const watchdog = keepWatchdog(dataDir.path, config.childEnv);
	opened.defer(() => {
		if (hooks.isLeft()) watchdog.leave();
		else watchdog.stop();
		dataDir.release(hooks.isLeft());
	});

	const displays = new Displays(config.display, config.xauthority, log, config.allowedDisplays, {
		onlyOffered: hooks.isTemporary,
	});
	opened.defer(() => displays.close());
	await displays.start();

	const takesNone = hooks.deliversOnly || hooks.isTemporary;
	const settings = takesNone ? { ...config.virtualDisplays, maximum: 0 } : config.virtualDisplays;
	const virtualDisplays = new VirtualDisplays(settings, displays, config.childEnv, log);
	opened.defer(() => virtualDisplays.close());

	const client = new DashboardClient(config);
	const seconds = takesNone ? null : config.bufferSeconds;
	const identity = {
		name: config.name,
		instanceId: dataDir.instanceId,
		...config.jobRules,
		...(seconds === null ? {} : { bufferSeconds: seconds }),
		...(virtualDisplays.maximum === 0 ? {} : { virtualDisplays: virtualDisplays.maximum }),
		...(config.ephemeral || hooks.isTemporary ? { ephemeral: true } : {}),
	};
	const connection = new Connection(client, identity, displays, log, closed);
	let control: ControlServer | null = null;
	opened.defer(async () => {
		// At the same time: both may wait, and a container stop allows little.
		await Promise.all([control?.close(), client.signOut()]);
		client.close();
	});
	const setAside = new SetAside({ runs, connection, log, resume: hooks.add });
	const reporter = new Reporter(connection, log, {
		spools: () => [...runs].map((run) => run.spool),
		displays: () => displays.list().map(({ id, width, height }) => ({ id, width, height })),
		forgotten: (spool, jobId) => {
			if (spool.jobId === jobId) answers.recreate(spool);
		},
	});
	connection.onSignedIn = (dashboard) => {
		setAside.signedIn(dashboard);
		reporter.kick();
	};
	displays.on("changed", () => reporter.reportDisplays());
	const pictures = new DisplayPictures({
		config,
		displays,
		connection,
		closed,
		captures: (displayId) => runs.posterFiles(displayId),
		isPrivate: (displayId) => runs.isPrivate(displayId),
	});
	const buffers = new Buffers(
		seconds === null
			? null
			: {
					config,
					displays,
					log,
					seconds,
					format: () => bufferFormat(config, connection),
					isPrivate: (displayId) => runs.isPrivate(displayId),
				},
		dataDir.path,
	);
	opened.defer(() => buffers.close());
	const isPrivate = (displayId: string) => runs.isPrivate(displayId);
	const screenshots = new Screenshots({ config, displays, isPrivate }, connection, log, closed);
	const files = { folder: config.uploadDir, dataDir: dataDir.path };
	const fileUploads = new FileUploads(files, connection, log, closed);
	const unspooled = { screenshots, fileUploads };
	const answers = new AnswerHandler({ ...hooks, ...unspooled, connection, reporter, pictures, virtualDisplays, log });
	const longPoll = new LongPoll(
		connection,
		async () => {
			const waitingBytes = await runs.waitingBytes();
			const jobs = [...runs.listed(connection.dashboard), ...screenshots.listed(), ...fileUploads.listed()];
			const { lent } = virtualDisplays;
			return {
				jobs,
				waitingBytes,
				...(lent === 0 ? {} : { lentDisplays: lent }),
				...(hooks.deliversOnly ? { takesJobs: false } : {}),
			};
		},
		(answer) => answers.apply(answer),
	);
	virtualDisplays.onLent = () => longPoll.restart();
	const tools: JobTools = {
		config,
		displays,
		buffers,
		connection,
		reporter,
		log,
		shutdown,
		closed,
		pictures: {
			drop: (displayId) => {
				pictures.drop(displayId);
				buffers.hide(displayId);
			},
		},
		pollAgain: () => longPoll.restart(),
		deliveryRules: hooks.deliveryRules,
		onError: hooks.onJobError,
	};
	const controlService = new ControlService({
		name: config.name,
		dataDir: dataDir.path,
		isTemporary: hooks.isTemporary,
		allowedGrids: config.allowedGrids,
		displays,
		virtualDisplays,
		connection,
		shutdown: hooks.noNewJobs,
		begin: (order) => hooks.begin(order, {}),
		bufferFault: (displayId) => buffers.faultOf(displayId),
		leave: hooks.leave,
		restartWhenIdle: () => void hooks.restartWhenIdle(),
		setAside: () => setAside.list(),
		adopt: (spool) => setAside.adopt(spool),
		discard: (spool) => setAside.discard(spool),
	});
	const serveCommands = async () => {
		try {
			control = await serveControl(dataDir.path, controlService);
		} catch (error) {
			log.warn(
				`The commands on this machine (tapedeck status, record, stop) cannot reach this runner: ${errorMessage(error)}.`,
			);
		}
	};
	const spool = new Spool(dataDir.path);
	return {
		displays,
		virtualDisplays,
		connection,
		reporter,
		longPoll,
		setAside,
		...unspooled,
		buffers,
		spool,
		tools,
		controlService,
		serveCommands,
	};
}

/** Video settings of buffers: those of recordings without options. Buffers follow no window, because none was chosen yet. */
function bufferFormat({ video }: RunnerConfig, { organizationVideo }: Connection): VideoFormat {
	const { window: _window, ...format } = videoFormat(overrideVideo(video, organizationVideo));
	return format;
}

function logProxy({ url }: RunnerConfig, log: RunnerLog): void {
	const dashboardUrl = new URL(url);
	const [proxy, problem] = [proxyFor(dashboardUrl), proxyProblem(dashboardUrl)];
	if (proxy !== null) log.info(`Connecting to ${url} through the proxy ${proxy.protocol}//${proxy.host}.`);
	if (problem !== null) log.warn(problem);
}
