import type { ObjectEffect } from '#evaluation';

/** Effects of a change on stored objects, most harmful first, in words. */
export const EFFECT_WORDS: Readonly<Record<ObjectEffect['effect'], string>> = {
  brokenOnUpdate: 'break: even an unchanged write is refused',
  breaksOnNextChange: 'break on the next change beside what is invalid',
  notJudged: 'not judged',
  savedByRatcheting: 'saved by ratcheting: only a new one would be refused',
  storedDifferently: 'stored differently',
  invalidBefore: 'invalid before and after',
  mended: 'mended: only the old definition refuses them',
  unaffected: 'unaffected',
};
