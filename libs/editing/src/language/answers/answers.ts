import { MINORS, minorWords } from '#kube';
import type { Minor } from '#kube';
import type { Range } from '../open-texts/position.ts';

/** Problem in a document, or a warning that a server would return. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /**
   * Error text of the server. If only some of the selected Kubernetes minor versions report the problem, the message ends with a list of
   * these minor versions.
   */
  readonly message: string;
  /** Reason in the Status cause, such as FieldValueInvalid, or the identifier of the advice. */
  readonly code?: string;
}

/** Explanation that the editor shows for the text under the cursor. */
export interface Hover {
  readonly range: Range;
  /** Explanation in Markdown. */
  readonly text: string;
}

/** Text that can be inserted at a position. */
export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'variable' | 'function' | 'method' | 'macro' | 'key' | 'value';
  /** Type of a field or variable, or signature of a function. */
  readonly detail?: string;
  /** Documentation in Markdown. */
  readonly documentation?: string;
  /** Range of the document that the completion replaces. */
  readonly range: Range;
  readonly insert: string;
  /** True if `insert` is a snippet with placeholders that the user fills in: `all(${1:x}, $0)`. */
  readonly isSnippet: boolean;
}

/** Line with information about a rule, which the editor shows above the rule. */
export interface Lens {
  readonly range: Range;
  readonly title: string;
  /** Highest estimated cost of the rule for a whole object, in cost units as decimal text. */
  readonly totalCost: string;
  /** True if a server refuses the rule because its estimated cost is above the limit for one expression. */
  readonly isTooExpensive: boolean;
}

/** A change of a document's text. */
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/** Change that fixes or improves a document. The user decides if it is applied. */
export interface CodeAction {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes a text from a user's document for use in Markdown. Images, links and HTML are shown as text. Displaying a definition therefore
 * contacts no host and offers no command. Control characters are shown as `\u001b`. Emphasis, lists and code are kept.
 */
export function markdownText(text: string): string {
  return text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).replace(/[[\]<!]/g, '\\$&');
}

/** Returns a text from a user's document as inline code in Markdown. */
export function markdownCode(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('\n', ' ')}\``;
}

/** Returns Kubernetes minor versions as text for display. Consecutive minor versions are shown as a range (`1.30 – 1.32, 1.35`), previews with their pre-release. */
export function shownMinors(minors: readonly Minor[]): string {
  const runs: Minor[][] = [];
  for (const minor of MINORS.filter((one) => minors.includes(one))) {
    const run = runs.at(-1);
    if (run !== undefined && MINORS.indexOf(minor) === MINORS.indexOf(run.at(-1) as Minor) + 1) run.push(minor);
    else runs.push([minor]);
  }
  return runs.map((run) => (run.length === 1 ? minorWords(run[0] as Minor) : `${run[0]} – ${minorWords(run.at(-1) as Minor)}`)).join(', ');
}

/**
 * Returns the first Kubernetes minor version in which new expressions may use a feature. `compatibility` is the compatibility version, such
 * as 32, that introduced the feature, and the result is the next minor version. Returns undefined if new expressions may use the feature in
 * all supported minor versions.
 */
export function firstMinorOf(compatibility: number): Minor | undefined {
  const first = MINORS.find((minor) => Number(minor.slice(2)) - 1 >= compatibility);
  return first === MINORS[0] ? undefined : first;
}
