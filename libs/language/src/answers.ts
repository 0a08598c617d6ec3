import type { Range } from './position.ts';

/** Problem in a document, or a warning that a server would return. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** Server's error text. If only some of the selected minors report the problem, these minors are appended. */
  readonly message: string;
  /** Reason of the Status cause, such as FieldValueInvalid, or the kind of a piece of advice. */
  readonly code?: string;
}

/** The explanation of the thing under the cursor. */
export interface Hover {
  readonly range: Range;
  /** Explanation in Markdown. */
  readonly text: string;
}

/** Text that can be inserted at a position. */
export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'variable' | 'function' | 'method' | 'macro' | 'key' | 'value';
  /** Type or signature. */
  readonly detail?: string;
  /** Documentation in Markdown. */
  readonly documentation?: string;
  /** Range of the document that the completion replaces. */
  readonly range: Range;
  readonly insert: string;
  /** True if `insert` is a snippet with places to fill in: `all(${1:x}, $0)`. */
  readonly isSnippet: boolean;
}

/** Line with information about a rule, which the editor shows above the rule. */
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

/** Change that fixes or improves a document. The user decides if it is applied. */
export interface CodeAction {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}
