// What the user is told when there is no server: pure, one notice for each cause.

import * as path from "node:path";

import type { Command } from "./server.js";

/** Why a server did not start, or ended. */
export type Failure =
  | { readonly kind: "not found" }
  | { readonly kind: "not started"; readonly command: Command; readonly reason: string }
  | {
      readonly kind: "ended";
      readonly command: Command;
      readonly status: number | null;
      readonly said: string;
      readonly times: number;
    };

export const INSTALL = "pip install 'tracecite-lint[lsp]'";

/** What `tracecite-lint server` says where the packages of the server are missing. */
const WITHOUT_SERVER = /the language server needs pygls|No module named '?(pygls|lsprotocol|tracecite_lsp)/;

/** Returns the sentence of the notice: what is the matter, and what to do. */
export function notice(failure: Failure, isFile: (name: string) => boolean): string {
  switch (failure.kind) {
    case "not found":
      return `tracecite-lint was not found. To install it: ${INSTALL}`;
    case "not started":
      return `${failure.command.program} cannot be started: ${failure.reason}`;
    case "ended": {
      if (WITHOUT_SERVER.test(failure.said)) {
        return `tracecite-lint has no language server yet. To install it: ${installCommand(failure.command, isFile)}`;
      }
      const last = failure.said.trimEnd().split(/\r?\n/).at(-1) ?? "";
      const times = failure.times > 1 ? ` ${failure.times} times in three minutes` : "";
      const status = failure.status === null ? "" : `, status ${failure.status}`;
      return `The tracecite-lint server ended${times}${status}${last === "" ? "" : `: ${last.slice(0, 160)}`}`;
    }
  }
}

/** Returns the command that installs the server beside the program that lacks it. */
function installCommand({ program }: Command, isFile: (name: string) => boolean): string {
  const paths = program.includes("\\") ? path.win32 : path.posix;
  if (/^python[\d.]*(\.exe)?$/i.test(paths.basename(program))) {
    return `${quoted(program)} -m ${INSTALL}`;
  }
  const beside = ["python", "python3", "python.exe"].map((name) => paths.join(paths.dirname(program), name));
  const python = paths.isAbsolute(program) ? beside.find(isFile) : undefined;
  return python === undefined ? INSTALL : `${quoted(python)} -m ${INSTALL}`;
}

function quoted(word: string): string {
  return /\s/.test(word) ? `"${word}"` : word;
}
