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
