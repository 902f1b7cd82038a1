/**
 * Helm from the Go module proxy; Selenium Grid 4 and JUnit from Maven Central; Selenium's Python client, schemathesis, moto and what ours needs from
 * PyPI; jest and mocha from npm; programs that speak the Model Context Protocol from PyPI and npm.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Remedy } from "./remedy.mjs";
import { lastLines, root, run, say } from "./run.mjs";

const HELM_VERSION = "v4.3.1";
const GRID_VERSION = "4.40.0";
const CLIENT_VERSION = "4.40.0";
const SCHEMATHESIS_VERSION = "4.32.5";
const MOTO_VERSION = "5.2.5";
const PLUGIN_VERSION = "3.8.1";
const JUNIT_VERSION = "6.1.3";
/** JUnit, and its writer of Open Test Reporting. */
const JUNIT_PACKAGES = [
	["org.junit.jupiter", "junit-jupiter"],
	["org.junit.platform", "junit-platform-reporting"],
];
const SUREFIRE_VERSION = "3.6.1";
const COMPILER_VERSION = "3.14.0";
/** mocha-junit-reporter does not run with mocha 12. */
const NPM_TEST_TOOLS = ["jest@30.5.2", "jest-junit@17.0.0", "mocha@11.8.0", "mocha-junit-reporter@2.2.1"];
/** The protocol's own tests, its client of the generation before, and its bridge between hosts and views. */
const MCP_NPM_PACKAGES = [
	"@modelcontextprotocol/conformance@0.1.16",
	"@modelcontextprotocol/sdk@1.32.2",
	"@modelcontextprotocol/ext-apps@2.0.4",
];
/** The clients of both generations, the first beside the checker of skills. */
const MCP_PYTHON_PACKAGES = [["mcp==2.3.0", "skills-ref==0.1.1"], ["mcp==1.30.0"]];

/** Folder of the jars; `java -cp '<folder>/*' org.openqa.selenium.grid.Bootstrap` runs them. */
export const gridFolder = join(root, ".cache", `selenium-grid-${GRID_VERSION}`);
/** The Python that has the client. */
export const clientPython = join(root, ".cache", `selenium-client-${CLIENT_VERSION}`, "bin", "python");
/** Helm, which renders deploy/chart. */
export const helm = join(root, ".cache", `helm-${HELM_VERSION}`, "helm");
/** The Python that has schemathesis. */
export const schemathesisPython = join(root, ".cache", `schemathesis-${SCHEMATHESIS_VERSION}`, "bin", "python");
/** The Python that has moto, a server that behaves as Amazon S3 does. */
export const motoPython = join(root, ".cache", `moto-${MOTO_VERSION}`, "bin", "python");
/**
 * Requirements of our own Python package's tests, by exact version: of all tests, and of the plugin's tests with an
 * older pytest.
 */
const [testRequirements, olderPytestRequirements] = ["requirements-dev.txt", "requirements-pytest8.txt"].map((name) => {
	const file = join(root, "clients", "python", name);
	return { file, python: join(root, ".cache", `python-package-${digestOf(readFileSync(file))}`, "bin", "python") };
});
/** The Python of these tests. */
export const packagePython = testRequirements.python;
/** The Python that has an older pytest. */
export const olderPytestPython = olderPytestRequirements.python;

/** The folder whose node_modules has jest and mocha, with their JUnit reporters. */
export const testToolsFolder = join(root, ".cache", `test-tools-${digestOf([...NPM_TEST_TOOLS, ...JUNIT_PACKAGES])}`);
/** The folder whose node_modules has MCP_NPM_PACKAGES. */
export const mcpToolsFolder = join(root, ".cache", `mcp-tools-${digestOf(MCP_NPM_PACKAGES)}`);
const mcpPythons = MCP_PYTHON_PACKAGES.map((packages) => ({
	packages,
	python: join(root, ".cache", `mcp-${digestOf(packages)}`, "bin", "python"),
}));
/** The Python that has the protocol's client and the checker of skills, and the Python with the client before. */
export const [mcpPython, olderMcpPython] = mcpPythons.map(({ python }) => python);

/** The POM of a project with JUnit tests, which `mvn --offline` can run. */
export const junitPom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    ${JUNIT_PACKAGES.map(
			([group, artifact]) =>
				`<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${JUNIT_VERSION}</version></dependency>`,
		).join("\n    ")}
  </dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>${COMPILER_VERSION}</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>${SUREFIRE_VERSION}</version></plugin>
  </plugins></build>
</project>
`;

/** A part of a folder's name that changes with its contents. */
function digestOf(contents) {
	return createHash("sha256").update(String(contents)).digest("hex").slice(0, 12);
}

const gridDependency = `<dependency>
      <groupId>org.seleniumhq.selenium</groupId><artifactId>selenium-grid</artifactId><version>${GRID_VERSION}</version>
    </dependency>`;
/** The same with Selenium's client for Java, as the Grid has it. */
export const seleniumPom = junitPom.replace("</dependencies>", `${gridDependency}\n  </dependencies>`);

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tapedeck</groupId><artifactId>grid-for-tests</artifactId><version>1</version>
  <dependencies>
    ${gridDependency}
  </dependencies>
</project>
`;

/** Puts selenium-grid and everything it needs into gridFolder, once. */
async function ensureGrid4() {
	const done = join(gridFolder, ".complete");
	if (existsSync(done)) return;
	say(`Downloading Selenium Grid ${GRID_VERSION} from Maven Central …`);
	rmSync(gridFolder, { recursive: true, force: true });
	mkdirSync(gridFolder, { recursive: true });
	const pomFile = join(gridFolder, "pom.xml");
	writeFileSync(pomFile, pom);
	const goal = [
		`org.apache.maven.plugins:maven-dependency-plugin:${PLUGIN_VERSION}:copy-dependencies`,
		`-DoutputDirectory=${gridFolder}`,
		"-DincludeScope=runtime",
	];
	const { code, output } = await run("mvn", ["-B", "-q", "-f", pomFile, ...goal], { quiet: true });
	if (code !== 0 || !readdirSync(gridFolder).some((name) => name.startsWith("selenium-grid"))) {
		throw new Remedy(
			`Maven could not download Selenium Grid. Check the network, then start again:\n${lastLines(output)}`,
		);
	}
	writeFileSync(done, "");
}

/** Makes a virtual environment with Selenium's client in it, once. */
const ensureSeleniumClient = () =>
	ensurePythonPackages(clientPython, [`selenium==${CLIENT_VERSION}`], "Selenium's Python client");

/** Makes a virtual environment with schemathesis in it, once. */
const ensureSchemathesis = () =>
	ensurePythonPackages(schemathesisPython, [`schemathesis==${SCHEMATHESIS_VERSION}`], "Schemathesis");

/** Makes a virtual environment with moto in it, once. */
const ensureMoto = () => ensurePythonPackages(motoPython, [`moto[s3,server]==${MOTO_VERSION}`], "Moto");

/** Installs jest and mocha, and what Maven needs to run JUnit's tests, once. */
function ensureTestTools() {
	const maven = join(testToolsFolder, "maven");
	const sources = join(maven, "src", "test", "java");
	const prepare = () => {
		mkdirSync(sources, { recursive: true });
		writeFileSync(join(testToolsFolder, "package.json"), "{}");
		writeFileSync(join(maven, "pom.xml"), junitPom);
		const source = "import org.junit.jupiter.api.Test;\nclass FirstTest { @Test void runs() {} }\n";
		writeFileSync(join(sources, "FirstTest.java"), source);
	};
	return installOnce(
		testToolsFolder,
		`${NPM_TEST_TOOLS.join(", ")} and JUnit ${JUNIT_VERSION}`,
		[npmInstall(testToolsFolder, NPM_TEST_TOOLS), ["mvn", ["-B", "-q", "-f", join(maven, "pom.xml"), "test"]]],
		prepare,
	);
}

const npmInstall = (folder, packages) => [
	"npm",
	["install", "--prefix", folder, "--no-package-lock", "--ignore-scripts", ...packages],
];

/** Installs the protocol's tests and the clients of both generations, once. */
export async function ensureMcpTools() {
	for (const { python, packages } of mcpPythons)
		await ensurePythonPackages(python, packages, "A client of the Model Context Protocol");
	const commands = [npmInstall(mcpToolsFolder, MCP_NPM_PACKAGES)];
	await installOnce(mcpToolsFolder, MCP_NPM_PACKAGES.join(", "), commands, () =>
		writeFileSync(join(mcpToolsFolder, "package.json"), "{}"),
	);
}

/** Makes the virtual environments for the tests of our Python package, once for each version of their requirements. */
async function ensurePythonTests() {
	for (const { file, python } of [testRequirements, olderPytestRequirements])
		await ensurePythonPackages(python, ["-r", file], "What the tests of the Python client need");
}

const ensurePythonPackages = (python, wanted, name) => {
	const folder = join(python, "..", "..");
	return installOnce(folder, `${name} (${wanted.join(" ")})`, [
		["python3", ["-m", "venv", folder]],
		[python, ["-m", "pip", "install", "--quiet", ...wanted]],
	]);
};

/**
 * Fills a folder, once. After a failure, the next attempt begins with an empty folder.
 * @param name {string} what is installed.
 * @param commands {[program: string, args: string[]][]}
 * @param prepare {() => void} writes the files that the commands need into the empty folder.
 * @throws Remedy with the last lines of the command that failed.
 */
async function installOnce(folder, name, commands, prepare = () => undefined) {
	const done = join(folder, ".complete");
	if (existsSync(done)) return;
	say(`Installing ${name} …`);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	prepare();
	for (const [program, args] of commands) {
		const { code, output } = await run(program, args, { quiet: true });
		if (code !== 0)
			throw new Remedy(`${name} could not be installed. Fix the error, then start again:\n${lastLines(output)}`);
	}
	writeFileSync(done, "");
}

/** Compiles Helm, once. */
export async function ensureHelm() {
	if (existsSync(helm)) return;
	say(`Compiling Helm ${HELM_VERSION}; this takes some minutes …`);
	const env = { ...process.env, GOBIN: dirname(helm) };
	const args = ["install", `helm.sh/helm/${HELM_VERSION.split(".")[0]}/cmd/helm@${HELM_VERSION}`];
	const { code, output } = await run("go", args, { env, quiet: true });
	if (code !== 0)
		throw new Remedy(
			`Helm could not be compiled. Install Go, or fix the error, then start again:\n${lastLines(output)}`,
		);
}

/** Installs everything that the explore lane needs beyond npm's and Debian's packages, once. */
export async function ensureExploreTools() {
	await ensureGrid4();
	await ensureSeleniumClient();
	await ensureSchemathesis();
	await ensureMoto();
	await ensurePythonTests();
	await ensureTestTools();
	await ensureMcpTools();
	await ensureHelm();
}
