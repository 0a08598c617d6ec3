import type { ObjectEffect } from '#documents';

/** Effects of a change on stored objects, most harmful first, in words. */
export const EFFECT_WORDS: Readonly<Record<ObjectEffect['effect'], string>> = {
  brokenOnUpdate: 'broken: writes are refused even without a change',
  breaksOnNextChange: 'breaks on its next change',
  notJudged: 'not judged',
  savedByRatcheting: 'still valid by ratcheting, as long as the invalid value stays',
  storedDifferently: 'stored differently',
  invalidBefore: 'invalid before and after',
  mended: 'now valid: only the old definition refuses it',
  unaffected: 'unaffected',
};
