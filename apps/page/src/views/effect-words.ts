import type { ObjectEffect } from '#evaluation';

/** Effects of a change on stored objects, most harmful first, in words. */
export const EFFECT_WORDS: Readonly<Record<ObjectEffect['effect'], string>> = {
  brokenOnUpdate: 'break: even a write without changes is refused',
  breaksOnNextChange: 'break at their next change beside the invalid field',
  notJudged: 'not judged',
  savedByRatcheting: 'stay valid by ratcheting: only a new object would be refused',
  storedDifferently: 'stored differently',
  invalidBefore: 'invalid before and after',
  mended: 'become valid: only the old definition refuses them',
  unaffected: 'unaffected',
};
