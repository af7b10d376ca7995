// Where the language server is found: pure decisions, so that they can be tested without VS Code.

import * as path from "node:path";

/** A program and its arguments. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** What is known when a server is looked for. */
export interface Surroundings {
  /** The setting `tracecite.server.command`, which only the user can set. */
  readonly configured: readonly string[] | null;
  /** The interpreter of the selected Python environment. */
  readonly python: string | null;
  /** The value of PATH. */
  readonly searchPath: string;
  readonly platform: NodeJS.Platform;
  /** Whether a file exists and can be run. */
  readonly isExecutable: (file: string) => boolean;
}

/**
 * Return the command that starts the server, or null if there is none to be found.
 *
 * The configured command comes first; then the script beside the selected Python interpreter; then PATH, of which
 * relative entries are passed over: a workspace must not be able to plant a program there.
 */
export function serverCommand(surroundings: Surroundings): Command | null {
  const [program, ...args] = surroundings.configured ?? [];
  if (program !== undefined) {
    return { program, args };
  }
  const paths = surroundings.platform === "win32" ? path.win32 : path.posix;
  const script = surroundings.platform === "win32" ? "tracecite-lint.exe" : "tracecite-lint";
  const folders = surroundings.searchPath.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  if (surroundings.python !== null && paths.isAbsolute(surroundings.python)) {
    folders.unshift(paths.dirname(surroundings.python));
  }
  const found = folders.map((folder) => paths.join(folder, script)).find(surroundings.isExecutable);
  return found === undefined ? null : { program: found, args: ["server"] };
}
