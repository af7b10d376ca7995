// The VS Code side: starts the language server for the documents that it serves, hands it the settings, and shows what it says.

import * as fs from "node:fs";
import * as vscode from "vscode";

import { type Ended, RunningServer } from "./client.js";
import { type Failure, notice } from "./failures.js";
import { Lifecycle } from "./lifecycle.js";
import type { Counts } from "./overview.js";
import { LANGUAGES, PATTERNS, isServed } from "./served.js";
import { type Command, serverCommand } from "./server.js";
import { serverSettings } from "./settings.js";
import { Status } from "./status.js";
import { showCitations } from "./list.js";

const SECTION = "tracecite";
const CRASHES = 5;
const CRASH_WINDOW_MS = 3 * 60 * 1000;

const lifecycle = new Lifecycle(launch);
let server: RunningServer | undefined;
let log: vscode.OutputChannel;
let status: Status;
let version = "";
let crashes: number[] = [];
let shownNotice: string | undefined;

export function activate(context: vscode.ExtensionContext): void {
  version = String(context.extension.packageJSON.version);
  log = vscode.window.createOutputChannel("tracecite-lint");
  status = new Status((document) => isServed(open(document)));
  context.subscriptions.push(
    log,
    status,
    vscode.commands.registerCommand("tracecite.restart", restart),
    vscode.commands.registerCommand("tracecite.showLog", () => log.show()),
    // Not `tracecite.check`: the client registers the server's own commands under their names.
    vscode.commands.registerCommand("tracecite.checkFile", checkActiveFile),
    vscode.commands.registerCommand("tracecite.checkAll", checkWorkspace),
    vscode.commands.registerCommand("tracecite.showCitations", listCitations),
    vscode.workspace.onDidOpenTextDocument(startFor),
    vscode.workspace.onDidChangeTextDocument((event) => startFor(event.document)),
    vscode.workspace.onDidCloseTextDocument((document) => status.forget(document.uri.toString())),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.server`)) {
        if (lifecycle.isWanted) {
          void restart();
        }
      } else if (event.affectsConfiguration(SECTION)) {
        void sendSettings();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void sendSettings()),
  );
  vscode.workspace.textDocuments.forEach(startFor);
}

export async function deactivate(): Promise<void> {
  await lifecycle.end();
}

/** Starts the server if `document` is one that it serves: Python is started for no other. */
function startFor(document: vscode.TextDocument): void {
  if (!lifecycle.isWanted && isServed(open(document))) {
    void lifecycle.start();
  }
}

function restart(): Promise<void> {
  crashes = [];
  return lifecycle.restart();
}

async function launch(): Promise<RunningServer | undefined> {
  server = undefined;
  status.does({ kind: "starting" });
  const configured = vscode.workspace.getConfiguration(SECTION).get<string[] | null>("server.command") ?? null;
  const command = serverCommand({
    configured,
    python: await selectedPython(),
    searchPath: process.env["PATH"] ?? "",
    platform: process.platform,
    isExecutable,
  });
  if (command === null) {
    fail({ kind: "not found" });
    return undefined;
  }
  log.appendLine(`tracecite-lint ${version} for VS Code ${vscode.version}: ${shown(command)}`);
  const launched = new RunningServer(command, clientOptions(), log, (ended) => onEnd(launched, ended));
  server = launched;
  launched.client.onNotification("$/tracecite/status", ({ uri, counts }: { uri: string; counts: Counts }) =>
    status.counted(uri, counts),
  );
  launched.client.onNotification("$/tracecite/reading", ({ done, total }: { done: number; total: number }) =>
    status.does(done < total ? { kind: "reading", done, total } : { kind: "idle" }),
  );
  // Not waited for: a server that never answers can be restarted all the same.
  void launched.start().then((runs) => {
    if (runs && server === launched) {
      status.does({ kind: "idle" });
    }
  });
  return launched;
}

function clientOptions(): ConstructorParameters<typeof RunningServer>[1] {
  return {
    documentSelector: [
      ...[...LANGUAGES, "plaintext"].flatMap((language) => [
        { scheme: "file", language },
        { scheme: "untitled", language },
      ]),
      ...PATTERNS.map((pattern) => ({ scheme: "file", pattern })),
      { scheme: "untitled", language: "json" }, // JSON Lines, before they have a name
    ],
    initializationOptions: settingsFor(undefined),
    middleware: { workspace: { configuration: (params) => params.items.map((item) => settingsFor(item.scopeUri)) } },
  };
}

/** A server that ran and ended is started again, but not for ever; one that never ran is not. */
function onEnd(ended: RunningServer, { failure, wasRunning }: Ended): void {
  if (server !== ended) {
    return;
  }
  server = undefined;
  const now = Date.now();
  crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
  if (wasRunning && crashes.length < CRASHES) {
    log.appendLine(`the server ended (${notice(failure, isFile)}), and is started again`);
    void lifecycle.restart();
    return;
  }
  fail(wasRunning && failure.kind === "ended" ? { ...failure, times: crashes.length } : failure);
}

/** Tells the user once what is the matter, and what can be done. */
function fail(failure: Failure): void {
  const text = notice(failure, isFile);
  log.appendLine(text);
  status.does({ kind: "stopped", why: text });
  if (shownNotice === text) {
    return;
  }
  shownNotice = text;
  const actions: Record<string, () => unknown> = {
    "Open settings": () => vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.server.command`),
    Restart: restart,
    "Show the log": () => log.show(),
  };
  void vscode.window.showErrorMessage(text, ...Object.keys(actions)).then((chosen) => {
    shownNotice = undefined;
    return chosen === undefined ? undefined : actions[chosen]?.();
  });
}

async function checkActiveFile(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined) {
    await ask("tracecite.check", document.uri.toString());
  }
}

async function checkWorkspace(): Promise<void> {
  const found = await ask<{ documents: number; findings: number } | null>("tracecite.checkWorkspace");
  if (found === null || found === undefined) {
    return;
  }
  const said = `${found.findings} findings in ${found.documents} documents of the workspace`;
  const chosen = await vscode.window.showInformationMessage(said, "Show the problems");
  if (chosen !== undefined) {
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  }
}

async function listCitations(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    await showCitations(editor, (await ask("tracecite.citations", editor.document.uri.toString())) ?? []);
  }
}

/** Lets the server do a command; starts it first if there is none yet. */
async function ask<T>(command: string, ...args: unknown[]): Promise<T | undefined> {
  await lifecycle.start();
  if (server === undefined || !(await server.start())) {
    return undefined; // What is the matter was told when it happened.
  }
  return server.client.sendRequest<T>("workspace/executeCommand", { command, arguments: args });
}

async function sendSettings(): Promise<void> {
  if (server?.client.isRunning()) {
    await server.client.sendNotification("workspace/didChangeConfiguration", {
      settings: { [SECTION]: settingsFor(undefined) },
    });
  }
}

function settingsFor(uri: string | undefined): Record<string, unknown> {
  const scope = uri === undefined ? undefined : vscode.Uri.parse(uri);
  const configuration = vscode.workspace.getConfiguration(SECTION, scope);
  return serverSettings((key) => configuration.get(key), vscode.workspace.isTrusted);
}

/** The interpreter that the Python extension has selected, if that extension is there. */
async function selectedPython(): Promise<string | null> {
  interface PythonApi {
    readonly environments?: { getActiveEnvironmentPath(): { readonly path: string } };
  }
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (extension === undefined) {
    return null;
  }
  const api = extension.isActive ? extension.exports : await extension.activate();
  return api.environments?.getActiveEnvironmentPath().path ?? null;
}

function open(document: vscode.TextDocument) {
  return {
    scheme: document.uri.scheme,
    language: document.languageId,
    path: document.uri.path,
    *lines() {
      for (let line = 0; line < document.lineCount; line++) {
        yield document.lineAt(line).text;
      }
    },
  };
}

function shown({ program, args }: Command): string {
  return [program, ...args].map((word) => (/^[\w./:\\=-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return isFile(file);
  } catch {
    return false; // Not there, or not to be run: the next place is looked at.
  }
}

function isFile(name: string): boolean {
  return fs.statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}
