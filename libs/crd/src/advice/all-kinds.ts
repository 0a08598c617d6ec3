import type { AdviceKind } from './advice.ts';
import { impossiblePattern } from './kinds/impossible-pattern.ts';
import { intOrString } from './kinds/int-or-string.ts';
import { missingBound } from './kinds/missing-bound.ts';
import { missingHas } from './kinds/missing-has.ts';
import { newerFunction } from './kinds/newer-function.ts';
import { quotedPattern } from './kinds/quoted-pattern.ts';
import { removableImmutable } from './kinds/removable-immutable.ts';
import { repeatedInLoop } from './kinds/repeated-in-loop.ts';
import { transitionOutOfReach } from './kinds/transition-out-of-reach.ts';
import { unanchoredPattern } from './kinds/unanchored-pattern.ts';
import { unboundedMatch } from './kinds/unbounded-match.ts';
import { uniqueList } from './kinds/unique-list.ts';
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
