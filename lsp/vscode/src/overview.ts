// What the status bar and the list say of a document: pure texts.

/** How many quotations of a document are what, as the server counts them. */
export interface Counts {
  readonly verified: number;
  readonly mismatch: number;
  readonly unverifiable: number;
  readonly suppressed: number;
  readonly unread: number;
  readonly passedOver: number;
}

/** What the server is doing. */
export type Activity =
  | { readonly kind: "idle" }
  | { readonly kind: "starting" }
  | { readonly kind: "reading"; readonly done: number; readonly total: number }
  | { readonly kind: "stopped"; readonly why: string };

export type State = keyof Counts;

/** The states in the order in which they are shown, each with its icon and its word. */
export const STATES: readonly (readonly [State, string, string])[] = [
  ["mismatch", "error", "wrong"],
  ["unverifiable", "question", "could not be checked"],
  ["unread", "circle-outline", "unread"],
  ["verified", "pass", "verified"],
  ["suppressed", "bell-slash", "silenced"],
  ["passedOver", "circle-slash", "passed over"],
];

const ALWAYS: readonly State[] = ["verified", "mismatch"];

/** Returns the text of the status bar. */
export function statusText(activity: Activity, counts: Counts | undefined): string {
  switch (activity.kind) {
    case "starting":
      return "$(sync~spin) Citations";
    case "stopped":
      return "$(warning) Citations";
    case "reading":
      return `$(sync~spin) ${activity.done} of ${activity.total} pages`;
    case "idle":
      return counts === undefined ? "$(quote)" : `$(quote) ${shown(counts).map(([, icon, , n]) => `$(${icon}) ${n}`).join(" ")}`;
  }
}

/** Returns in words what the status bar shows. */
export function statusWords(activity: Activity, counts: Counts | undefined): string {
  const does = {
    idle: "The server is waiting for changes.",
    starting: "The server is being started.",
    reading: "The server is reading cited pages.",
    stopped: "There is no server.",
  }[activity.kind];
  const why = activity.kind === "stopped" ? ` ${activity.why}` : "";
  const counted =
    counts === undefined ? [] : [shown(counts).map(([, , word, n]) => `${n} ${word}`).join(", ") + ". Click for the list."];
  return [...counted, does + why].join("\n\n");
}

function shown(counts: Counts): (readonly [State, string, string, number])[] {
  const all = STATES.map(([state, icon, word]) => [state, icon, word, counts[state]] as const);
  return all.filter(([state, , , number]) => number > 0 || ALWAYS.includes(state));
}
