import { EXPANSION } from '../../../library/names.ts';
import { refuse } from '../macro.ts';
import { bindFold } from './folds.ts';
import { expandMap } from './standard.ts';
import type { Macro } from '../macro.ts';

const INPUT = '@__sortBy_input__';
const SORTABLE = new Set(['list', 'select', 'ident', 'comprehension', 'call']);

/**
 * Macro `list.sortBy(x, key)`, which sorts a list by the keys that it computes from the elements. Source: cel-go ext/lists.go `sortByMacro`
 * (v0.29.2).
 */
export const SORT_BY: Macro = {
  name: 'sortBy',
  arguments: 2,
  style: 'method',
  expand: (nodes, args, target) => {
    const input = nodes.ident(INPUT);
    if (!SORTABLE.has(target!.kind)) {
      return refuse(target!, 'sortBy can only be applied to a list, identifier, comprehension, call or select expression');
    }
    const keys = expandMap(nodes, args, nodes.copy(input));
    if (keys.kind === 'error') return keys;
    const sorted = nodes.memberCall(EXPANSION.sortByAssociatedKeys, nodes.copy(input), keys);
    return bindFold(nodes, { name: INPUT, value: () => target!, step: () => input, result: sorted });
  },
};
