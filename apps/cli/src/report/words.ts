import type { Effect, ItemOutcome } from '#evaluation';
import type { PlacedReport } from '../place-findings.ts';

/** Words for the outcome of an object. */
export const OUTCOME_WORDS: Readonly<Record<ItemOutcome, string>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  notEvaluated: 'not evaluated',
  cancelled: 'cancelled',
};

/** Words for the effects of a changed definition on a stored object. */
export const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  unaffected: 'unaffected',
  brokenOnUpdate: 'broken on update',
  breaksOnNextChange: 'breaks on the next change',
  savedByRatcheting: 'saved by ratcheting',
  storedDifferently: 'stored differently',
  mended: 'mended',
  invalidBefore: 'invalid before',
  notJudged: 'not judged',
};

/** Returns the location as `file:line:column`. If the text is not available, returns the file and the number of the document. */
export const placeText = ({ location, source }: PlacedReport): string =>
  location === undefined ? source : `${location.file}:${location.line}:${location.column}`;
