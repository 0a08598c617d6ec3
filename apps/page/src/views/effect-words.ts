import type { ObjectEffect } from '#evaluation';

/** Effects of a change on stored objects, most harmful first, in words. */
export const EFFECT_WORDS: Readonly<Record<ObjectEffect['effect'], string>> = {
  brokenOnUpdate: 'broken: every write is refused, even one without changes',
  breaksOnNextChange: 'breaks when something beside the invalid field changes',
  notJudged: 'not judged',
  savedByRatcheting: 'still valid by ratcheting: only a new object would be refused',
  storedDifferently: 'stored differently',
  invalidBefore: 'invalid before and after',
  mended: 'now valid: only the old definition refuses it',
  unaffected: 'unaffected',
};
