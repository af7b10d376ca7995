// The list of a document's citations, to go to one of them.

import * as vscode from "vscode";

import { STATES, type State } from "./overview.js";

/** One citation as the server lists it. */
export interface Entry {
  readonly state: State;
  readonly range: { readonly start: Place; readonly end: Place };
  readonly words: string;
  readonly note: string;
}

interface Place {
  readonly line: number;
  readonly character: number;
}

interface Item extends vscode.QuickPickItem {
  readonly range?: vscode.Range;
}

/** Lets the user choose one of `entries`, citations of the document in `editor`, and selects it. */
export async function showCitations(editor: vscode.TextEditor, entries: readonly Entry[]): Promise<void> {
  const before = editor.selection;
  const chosen = await vscode.window.showQuickPick(items(entries), {
    title: "Citations of this file",
    placeHolder: entries.length === 0 ? "There are none" : "Type words, a source, a code",
    matchOnDescription: true,
    matchOnDetail: true,
    onDidSelectItem: (item: Item) => reveal(editor, item.range),
  });
  if (chosen === undefined) {
    editor.selection = before;
    editor.revealRange(before);
    return;
  }
  reveal(editor, chosen.range);
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
}

function items(entries: readonly Entry[]): Item[] {
  return STATES.flatMap(([state, icon, word]) => {
    const group = entries.filter((entry) => entry.state === state);
    return group.length === 0
      ? []
      : [
          { label: word, kind: vscode.QuickPickItemKind.Separator },
          ...group.map((entry) => ({
            label: `$(${icon}) ${entry.words === "" ? "(private)" : entry.words}`,
            description: `line ${entry.range.start.line + 1}`,
            detail: entry.note,
            range: new vscode.Range(
              entry.range.start.line,
              entry.range.start.character,
              entry.range.end.line,
              entry.range.end.character,
            ),
          })),
        ];
  });
}

function reveal(editor: vscode.TextEditor, range: vscode.Range | undefined): void {
  if (range !== undefined) {
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
