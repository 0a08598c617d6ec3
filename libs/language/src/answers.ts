import type { Range } from './position.ts';

/** Something that is wrong with a document, or that a server would warn of. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** The server's words, followed by the minors if only some of the chosen minors say it. */
  readonly message: string;
  /** Reason of the Status cause, such as FieldValueInvalid, or the kind of a piece of advice. */
  readonly code?: string;
}

/** The explanation of the thing under the cursor. */
export interface Hover {
  readonly range: Range;
  /** Markdown. */
  readonly text: string;
}

/** Something that can be written at a place. */
export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'variable' | 'function' | 'method' | 'macro' | 'key' | 'value';
  /** Type or signature. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
  /** The range that it replaces. */
  readonly range: Range;
  readonly insert: string;
  /** True if `insert` is a snippet with places to fill in: `all(${1:x}, $0)`. */
  readonly isSnippet: boolean;
}

/** A line about a rule, shown above it. */
export interface Lens {
  readonly range: Range;
  readonly title: string;
  /** Highest cost of the rule over a whole object, in cost units as decimal text. */
  readonly totalCost: string;
  /** True if a server refuses the rule for its cost. */
  readonly isTooDear: boolean;
}

/** A change of a document's text. */
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/** A change that would help, for the user to choose. */
export interface CodeAction {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}
