import type { JsonObject } from '#go';

/** The end of a write: the server accepts it, or a limit of cost ends it. */
export type End = 'accepted' | 'call' | 'object';

/**
 * A rule of a real definition, and the dearest write for it that was thought out by hand, without the search for dear writes. The rules were chosen by their
 * texts alone, before any cost was known: at most two of a definition, and few of a project. Their cost grows with a list, a map or a text. Together they
 * have pairs of elements, nested lists, items of lists, searches in texts, patterns, unions, transitions, and sibling rules that bound them.
 */
export interface HandBuilt {
  /** The definition's file, below the corpora. */
  readonly file: string;
  readonly version: string;
  /** The rule's place, as costs name it: `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  /** Returns the object that is written. */
  readonly object: () => JsonObject;
  /** Returns the stored object that it replaces; if there is none, the write is a create. A write of the status has one in any case. */
  readonly old?: () => JsonObject;
  readonly end: End;
  /** The cost units of all evaluations of the rule; if a limit ends the write, those until then. */
  readonly cost: number;
  /** Why a dearer write is hard to think of. */
  readonly note: string;
}
