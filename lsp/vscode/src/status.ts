// The item in the status bar: what the server does, and what the document before you amounts to.

import * as vscode from "vscode";

import { type Activity, type Counts, statusText, statusWords } from "./overview.js";

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("tracecite.status", vscode.StatusBarAlignment.Right, 100);
  private readonly counts = new Map<string, Counts>();
  private activity: Activity = { kind: "idle" };
  private readonly listener: vscode.Disposable;

  /** `isServed` tells for which documents it is shown. */
  constructor(private readonly isServed: (document: vscode.TextDocument) => boolean) {
    this.item.name = "tracecite-lint";
    this.listener = vscode.window.onDidChangeActiveTextEditor(() => this.show());
    this.show();
  }

  /** Takes in what the server does. */
  does(activity: Activity): void {
    this.activity = activity;
    // What an earlier server has counted is not what holds now.
    if (activity.kind === "starting" || activity.kind === "stopped") {
      this.counts.clear();
    }
    this.show();
  }

  /** Takes in what a document amounts to. */
  counted(uri: string, counts: Counts): void {
    this.counts.set(vscode.Uri.parse(uri).toString(), counts);
    this.show();
  }

  forget(uri: string): void {
    this.counts.delete(uri);
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }

  private show(): void {
    const document = vscode.window.activeTextEditor?.document;
    const counts = document === undefined ? undefined : this.counts.get(document.uri.toString());
    if (document === undefined || (counts === undefined && !this.isServed(document))) {
      this.item.hide();
      return;
    }
    const words = statusWords(this.activity, counts);
    this.item.text = statusText(this.activity, counts);
    this.item.tooltip = words;
    this.item.accessibilityInformation = { label: `tracecite-lint: ${words}` };
    this.item.command = this.activity.kind === "stopped" ? "tracecite.restart" : "tracecite.showCitations";
    this.item.show();
  }
}
