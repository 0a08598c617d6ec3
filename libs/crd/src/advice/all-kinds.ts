import type { AdviceKind } from './advice.ts';
import { intOrString } from './kinds/int-or-string.ts';
import { missingBound } from './kinds/missing-bound.ts';
import { missingHas } from './kinds/missing-has.ts';
import { newerFunction } from './kinds/newer-function.ts';
import { removableImmutable } from './kinds/removable-immutable.ts';
import { repeatedInLoop } from './kinds/repeated-in-loop.ts';
import { transitionOutOfReach } from './kinds/transition-out-of-reach.ts';
import { unboundedMatch } from './kinds/unbounded-match.ts';
import { uniqueList } from './kinds/unique-list.ts';

/** All kinds of advice. Advice about mistakes comes before advice about costs. */
export const ADVICE_KINDS: readonly AdviceKind[] = [
  transitionOutOfReach,
  newerFunction,
  missingHas,
  intOrString,
  removableImmutable,
  uniqueList,
  unboundedMatch,
  missingBound,
  repeatedInLoop,
];
