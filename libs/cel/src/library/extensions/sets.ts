import { indexedMembership } from '../../values/membership.ts';
import type { CelError, CelList } from '../../values/value.ts';
import { BOOL, listOf, typeParameter } from '../../values/types/type.ts';
import type { FunctionDeclaration, Overload } from '../define.ts';
import { withContext } from '../define.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { CALL } from '../formulas.ts';
import { globalOverload, quadratic } from '../overload.ts';
import { estimateOf, fixed, measureOf, product, rounded, size, sum } from '../price.ts';

const LIST_OF_T = listOf(typeParameter('T'));
/** Minor number of the compatibility version that introduced the sets library. */
const since = 29;

function containsAll(context: EvaluationContext, list: CelList, part: CelList): boolean | CelError {
  const contains = indexedMembership(context, list, part.size);
  for (let i = 0; i < part.size; i++) {
    const contained = contains(part.at(i));
    if (contained !== true) return contained;
  }
  return true;
}

function intersects(context: EvaluationContext, a: CelList, b: CelList): boolean {
  const contains = indexedMembership(context, b, a.size);
  for (let i = 0; i < a.size; i++) if (contains(a.at(i)) === true) return true;
  return false;
}

function equivalent(context: EvaluationContext, a: CelList, b: CelList): boolean | CelError {
  const contained = containsAll(context, a, b);
  return contained === true ? containsAll(context, b, a) : contained;
}

/**
 * Returns an overload that searches for each element of one list in the other list. A call costs the base cost plus `passes` times the
 * product of both sizes.
 */
function onSets(id: string, passes: number, call: (context: EvaluationContext, a: CelList, b: CelList) => boolean | CelError): Overload {
  const units = sum(fixed(CALL), rounded(product(size(0), size(1)), passes));
  return globalOverload(id, [LIST_OF_T, LIST_OF_T], BOOL, {
    since,
    estimate: estimateOf(units),
    measure: measureOf(units),
    growth: quadratic('cel-go ext/sets.go `setsContains` (v0.29.2)'),
    call: withContext((context, a, b) => call(context, a as CelList, b as CelList)),
  });
}

/** Functions of the sets library, which treat lists as sets. Source: cel-go ext/sets.go (v0.29.2). */
export const SET_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'sets.contains',
    library: 'sets',
    doc: 'True if the first list contains all elements of the second.',
    examples: ['sets.contains([1, 2, 3, 4], [2, 3])', '!sets.contains([1], [1, 2])'],
    overloads: [onSets('list_sets_contains_list', 1, containsAll)],
  },
  {
    name: 'sets.equivalent',
    library: 'sets',
    doc: 'True if each list contains all elements of the other.',
    examples: ['sets.equivalent([1], [1, 1])', '!sets.equivalent([1], [1, 2])'],
    overloads: [onSets('list_sets_equivalent_list', 2, equivalent)],
  },
  {
    name: 'sets.intersects',
    library: 'sets',
    doc: 'True if the lists have an element in common.',
    examples: ['sets.intersects([1, 2], [2, 3])', '!sets.intersects([1], [])'],
    overloads: [onSets('list_sets_intersects_list', 1, intersects)],
  },
];
