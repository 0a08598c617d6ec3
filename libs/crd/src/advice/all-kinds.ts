import type { AdviceKind } from './advice.ts';
import { impossiblePattern, quotedPattern, unanchoredPattern } from './kinds/patterns.ts';
import { intOrString } from './kinds/int-or-string.ts';
import { missingBound, unboundedMatch } from './kinds/bounds.ts';
import { missingHas } from './kinds/missing-has.ts';
import { newerFunction } from './kinds/newer-function.ts';
import { removableImmutable, transitionOutOfReach } from './kinds/transitions.ts';
import { repeatedInLoop, uniqueList } from './kinds/loops.ts';
import { yamlWord } from './kinds/yaml-word.ts';

/** All kinds of advice. Advice about mistakes comes before advice about costs. */
export const ADVICE_KINDS: readonly AdviceKind[] = [
  transitionOutOfReach,
  newerFunction,
  missingHas,
  intOrString,
  removableImmutable,
  yamlWord,
  quotedPattern,
  impossiblePattern,
  unanchoredPattern,
  uniqueList,
  unboundedMatch,
  missingBound,
  repeatedInLoop,
];
