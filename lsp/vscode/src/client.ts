// The client of one server, which is started once and stopped once.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from "vscode-languageclient/node";

import type { Failure } from "./failures.js";
import type { Launched } from "./lifecycle.js";
import type { Command } from "./server.js";

const STOPPING_MS = 2000;
const SAID = 4000;

/** The end of a server that was running, or of the attempt to start it. */
export interface Ended {
  readonly failure: Failure;
  readonly wasRunning: boolean;
}

/** A language client that shows no notices of its own, and can be stopped in every state. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override async stop(timeout?: number): Promise<void> {
    try {
      await super.stop(timeout);
    } catch (error) {
      // It throws while starting, after a failed start, and when the server does not answer: all of that is an end too.
      this.outputChannel.appendLine(`stopped: ${String(error)}`);
    }
  }
}

/** A server that is being started, runs, or has ended. */
export class RunningServer implements Launched {
  readonly client: LanguageClient;
  private child: ChildProcess | undefined;
  private said = "";
  private starting: Promise<boolean> | undefined;
  private isRunning = false;
  private isOver = false;

  /** `onEnd` is called once if it ends, or does not come to run, without having been stopped. */
  constructor(
    private readonly command: Command,
    options: LanguageClientOptions,
    log: vscode.OutputChannel,
    private readonly onEnd: (ended: Ended) => void,
  ) {
    const server: ServerOptions = () => this.spawned();
    this.client = new QuietClient("tracecite", "tracecite-lint", server, {
      ...options,
      outputChannel: log,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        // It is for us to say whether there is another one.
        closed: () => {
          void this.ended();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    });
  }

  /** Starts it, once; true when it runs. */
  start(): Promise<boolean> {
    this.starting ??= this.begin();
    return this.starting;
  }

  private async begin(): Promise<boolean> {
    try {
      await this.client.start();
      this.isRunning = !this.isOver;
    } catch (error) {
      await this.ended(error);
    }
    return this.isRunning;
  }

  async stop(): Promise<void> {
    const child = this.child;
    this.isOver = true;
    // One that was never heard of has nothing to be told, and would be waited for.
    if (this.isRunning) {
      await this.client.stop(STOPPING_MS);
    }
    this.isRunning = false;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.kill();
      await Promise.race([exit, later(STOPPING_MS)]);
      child.kill("SIGKILL");
    }
  }

  private async spawned(): Promise<ChildProcess> {
    const child = spawn(this.command.program, this.command.args);
    child.stderr.on("data", (data: Buffer) => {
      this.said = (this.said + data.toString()).slice(-SAID);
    });
    child.stdin.on("error", () => undefined); // The end of the process is told by its exit.
    await once(child, "spawn");
    this.child = child;
    return child;
  }

  private async ended(error?: unknown): Promise<void> {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    const wasRunning = this.isRunning;
    this.isRunning = false;
    const { child, command } = this;
    if (child === undefined) {
      const reason = error instanceof Error ? error.message : String(error);
      this.onEnd({ failure: { kind: "not started", command, reason }, wasRunning });
      return;
    }
    if (child.exitCode === null && child.signalCode === null) {
      // What it says last may come a moment after it has closed its output.
      await Promise.race([once(child, "close"), later(STOPPING_MS)]);
      child.kill("SIGKILL");
    }
    this.onEnd({
      failure: { kind: "ended", command, status: child.exitCode, said: this.said, times: 1 },
      wasRunning,
    });
  }
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
