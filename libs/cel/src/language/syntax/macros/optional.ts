import { EXPANSION, OPERATOR } from '../../../library/names.ts';
import { refuse } from '../macro.ts';
import { bindFold } from './folds.ts';
import type { Expr } from '../ast.ts';
import type { Macro } from '../macro.ts';
import type { ExpansionFactory } from '../node-factory.ts';

/**
 * Returns a macro that is called as `target.name(variable, mapped)`. It expands to `target.hasValue() ? mapped : optional.none()`, in which
 * `wrap` replaces `mapped`. Inside `mapped`, the variable is bound to the optional's value.
 */
function onValue(name: string, wrap: (nodes: ExpansionFactory, mapped: Expr) => Expr): Macro {
  return {
    name,
    arguments: 2,
    style: 'method',
    expand: (nodes, [variable, mapped], target) => {
      if (variable!.kind !== 'ident') return refuse(variable!, `${name}() variable name must be a simple identifier`);
      const bound = variable!.name;
      return nodes.call(
        OPERATOR.conditional,
        nodes.memberCall(EXPANSION.hasValue, target!),
        wrap(
          nodes,
          bindFold(nodes, {
            name: bound,
            value: () => nodes.memberCall(EXPANSION.value, nodes.again('target', target!)),
            step: () => nodes.ident(bound),
            result: mapped!,
          }),
        ),
        nodes.call(EXPANSION.optionalNone),
      );
    },
  };
}

/** Macros of optionals. Source: cel-go cel/library.go `optMap`, `optFlatMap` (v0.29.2). */
export const OPTIONAL_MACROS: readonly Macro[] = [
  onValue('optMap', (nodes, mapped) => nodes.call(EXPANSION.optionalOf, mapped)),
  onValue('optFlatMap', (_, mapped) => mapped),
];
