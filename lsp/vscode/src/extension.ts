// The VS Code side: starts the language server, hands it the settings, and offers three commands.

import * as fs from "node:fs";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

import { serverCommand } from "./server.js";
import { serverSettings } from "./settings.js";

const SECTION = "tracecite";
const LANGUAGES = ["markdown", "mdx", "quarto", "rmd", "jsonl", "jsonlines", "ndjson", "plaintext"];
const PATTERNS = ["**/*.jsonl", "**/*.ndjson"];

let client: LanguageClient | undefined;
const statuses = new Map<string, vscode.LanguageStatusItem>();
let log: vscode.OutputChannel | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("tracecite-lint");
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("tracecite.restart", restart),
    vscode.commands.registerCommand("tracecite.showLog", () => log?.show()),
    // Not `tracecite.check`: the client registers the server's own commands under their names.
    vscode.commands.registerCommand("tracecite.checkFile", checkActiveFile),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.server`)) {
        void restart();
      } else if (event.affectsConfiguration(SECTION)) {
        void sendSettings();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void sendSettings()),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  statuses.forEach((item) => item.dispose());
  statuses.clear();
  await client?.stop();
}

async function start(): Promise<void> {
  const command = serverCommand({
    configured: vscode.workspace.getConfiguration(SECTION).get<string[] | null>("server.command") ?? null,
    python: await selectedPython(),
    searchPath: process.env["PATH"] ?? "",
    platform: process.platform,
    isExecutable,
  });
  if (command === null) {
    void vscode.window.showWarningMessage(
      "tracecite-lint was not found. Install it into the selected Python environment " +
        "(pip install 'tracecite-lint[lsp]'), put it on PATH, or set tracecite.server.command.",
    );
    return;
  }
  const server: ServerOptions = { command: command.program, args: [...command.args] };
  const options: LanguageClientOptions = {
    documentSelector: [
      ...LANGUAGES.flatMap((language) => [
        { scheme: "file", language },
        { scheme: "untitled", language },
      ]),
      ...PATTERNS.map((pattern) => ({ scheme: "file", pattern })),
      { scheme: "untitled", language: "json" }, // JSON Lines, before they have a name
    ],
    initializationOptions: currentSettings(),
    middleware: { workspace: { configuration: (params) => params.items.map((item) => settingsFor(item.scopeUri)) } },
    ...(log === undefined ? {} : { outputChannel: log }),
  };
  client = new LanguageClient(SECTION, "tracecite-lint", server, options);
  client.onNotification("$/tracecite/status", showStatus);
  await client.start();
}

/** What each document amounts to, in the language status of the editor that shows it. */
function showStatus({ uri, text }: { readonly uri: string; readonly text: string }): void {
  const { scheme, path } = vscode.Uri.parse(uri);
  const item = statuses.get(uri) ?? vscode.languages.createLanguageStatusItem(uri, { scheme, pattern: path });
  item.name = "tracecite-lint";
  item.text = text;
  statuses.set(uri, item);
}

async function restart(): Promise<void> {
  await client?.stop();
  client = undefined;
  await start();
}

async function checkActiveFile(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (client !== undefined && document !== undefined) {
    await client.sendRequest("workspace/executeCommand", {
      command: "tracecite.check",
      arguments: [document.uri.toString()],
    });
  }
}

async function sendSettings(): Promise<void> {
  await client?.sendNotification("workspace/didChangeConfiguration", { settings: { [SECTION]: currentSettings() } });
}

function currentSettings(): Record<string, unknown> {
  return settingsFor(undefined);
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

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false; // Not there, or not to be run: the next place is looked at.
  }
}
