import { OPERATOR } from '#cel';
import type { WrittenNode } from '#cel';
import { fieldsText, nodeAtPath } from '../../schema/schema-path.ts';
import type { SchemaPath } from '../../schema/schema-path.ts';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { isExpectedField } from '../expected-field.ts';
import { allNodes, chainOf, writtenShapeOf } from '../written-shape.ts';

/** Advice on rules that make an optional field immutable but allow its removal. */
export const removableImmutable: AdviceKind = {
  id: 'removable-immutable',
  title: 'If an optional field is immutable, a rule also prevents its removal',
  doc: `A rule with \`oldSelf\` runs only in updates that have the field both before and after. So with the rule \`self == oldSelf\` at an optional field, a client can remove the field in one update. In the next update, the client can set another value. Require the field, or add a rule to the object that contains the field. \`has(self.f) == has(oldSelf.f)\` forbids clients to add or remove the field.
\`!has(oldSelf.f) || has(self.f)\` also allows clients to add the field once. Assay does not give this advice if a rule above the field names the field in has(), or together with
\`oldSelf\`.`,
  example: {
    before: `
properties:
  region:
    type: string
    maxLength: 30
    x-kubernetes-validations:
    - rule: self == oldSelf`,
    after: `
properties:
  region:
    type: string
    maxLength: 30
    x-kubernetes-validations:
    - rule: self == oldSelf
x-kubernetes-validations:
- rule: '!has(oldSelf.region) || has(self.region)'`,
  },
  ofRule: (rule) => found(rule),
};

function found(rule: AdvisedRule): FoundAdvice[] {
  const { source, steps, root, tree, all } = rule;
  const step = steps.at(-1);
  if (step?.kind !== 'property' || source.optionalOldSelf === true || !chainOf(tree, OPERATOR.and).some(isSame)) return [];
  const above = steps.slice(0, -1);
  const holder = nodeAtPath(root, above);
  if (holder === undefined || isExpectedField(holder, step.name)) return [];
  const isGuarded = all.some((other) => isAbove(other.steps, steps) && names(other.tree, step.name));
  if (isGuarded) return [];
  const field = fieldsText(steps);
  return [
    {
      text: `${field} is optional: this rule does not run when it is removed or added, so that a client may remove it and set it anew. Require it, or add at ${fieldsText(above)}: !has(oldSelf.${step.name}) || has(self.${step.name}).`,
    },
  ];
}

/** Returns true for the comparison `self == oldSelf`. */
function isSame({ call, args }: WrittenNode): boolean {
  return (
    call === OPERATOR.equals &&
    args
      .map((arg) => writtenShapeOf(arg))
      .toSorted()
      .join(' ') === 'oldSelf self'
  );
}

const isAbove = (path: SchemaPath, below: SchemaPath): boolean =>
  path.length < below.length && fieldsText(below.slice(0, path.length)) === fieldsText(path);

/**
 * Returns true if a rule may prevent the removal of a field. Such a rule tests the field's presence or selects it with `.?`, or uses
 * `oldSelf` and either names the field or compares the whole value.
 */
function names(tree: WrittenNode, field: string): boolean {
  const nodes = allNodes(tree);
  const named = nodes.filter(
    ({ expr, call, args }) =>
      (expr.kind === 'select' && expr.field === field) ||
      (call === OPERATOR.optionalSelect && writtenShapeOf(args[1] ?? tree) === `string:"${field}"`),
  );
  const isTested = named.some(({ expr, call }) => call !== undefined || (expr.kind === 'select' && expr.testOnly));
  const isAboutChanges = nodes.some(({ expr }) => expr.kind === 'ident' && expr.name === 'oldSelf');
  return isTested || (isAboutChanges && (named.length > 0 || nodes.some(isSame)));
}
