import { validateFormatString } from './format-strings.ts';
import { mixedLiterals } from './homogeneous-literals.ts';
import { validateLiteralArgument } from './literal-arguments.ts';
import { nodesBottomUp } from './walk.ts';
import { typeMismatch } from '../check/errors.ts';
import type { CheckedExpression } from '../check/checked.ts';
import type { Declarations } from '../check/declarations.ts';
import type { Issues } from '../syntax/issues.ts';

/**
 * Checks an expression for two kinds of errors besides wrong types: mixed types in literals, and constant arguments for which a call would
 * fail. At the same position, errors of mixed types are reported first. Source: k8s.io/apiserver/pkg/cel/environment/base.go (1.37).
 */
export function validateExpression(checked: CheckedExpression, declarations: Declarations, issues: Issues): void {
  const nodes = nodesBottomUp(checked.root);
  const checkOf = (name: string) => declarations.function(name)?.literalArgument;
  for (const { id, expected, type } of mixedLiterals(checked, nodes, (name) => checkOf(name) === 'format'))
    issues.report(checked.offsets.get(id), typeMismatch(expected, type, declarations.naming));
  const formats: (() => void)[] = [];
  for (const { node } of nodes) {
    const check = node.kind === 'call' ? checkOf(node.function) : undefined;
    if (node.kind !== 'call' || check === undefined) continue;
    if (check === 'format' && declarations.checksFormats)
      formats.push(() => validateFormatString(checked, node, declarations.naming, issues));
    if (check !== 'format') validateLiteralArgument(checked, node, check, issues);
  }
  for (const validate of formats) validate();
}
