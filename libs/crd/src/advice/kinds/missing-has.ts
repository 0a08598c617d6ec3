import { OPERATOR } from '#cel';
import type { WrittenNode } from '#cel';
import { fieldsText } from '../../schema/schema-path.ts';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { isExpectedField, fieldsMeant } from '../fields-meant.ts';
import { leadsIntoMetaFields, placedNodes, valuePlaceOf, startOf } from '../written-nodes.ts';
import type { PlacedNode } from '../written-nodes.ts';
import { withoutRepeats } from '../advice.ts';

/** Advice on rules that read a field although the field may be absent. */
export const missingHas: AdviceKind = {
  id: 'missing-has',
  title: 'A rule tests an optional field with has() before it reads the field',
  doc: `If a rule reads a field that the object does not have, the evaluation fails with \`no such key\`. The server then refuses the object with this error, and does not show the message of
the rule. So such a rule makes an optional field required, if the field has no default. To keep the field optional, write \`!has(self.f) || …\`. To require the field, use \`required\`, or
give the field a \`default\`. Assay gives this advice if no rule of the version tests the field. It does not give this advice if \`anyOf\`, \`oneOf\` or a similar keyword requires the field
in some case.`,
  example: {
    before: `
properties:
  min: {type: integer}
  max: {type: integer}
x-kubernetes-validations:
- rule: self.min <= self.max
required: [max]`,
    after: `
properties:
  min: {type: integer}
  max: {type: integer}
x-kubernetes-validations:
- rule: '!has(self.min) || self.min <= self.max'
required: [max]`,
  },
  ofRule: (rule) => {
    const tested = testedFields(rule);
    const found = placedNodes(rule.tree, rule.schema).flatMap((placed) => ofField(placed, rule, tested) ?? []);
    return withoutRepeats(found);
  },
};

function ofField({ node, scope }: PlacedNode, rule: AdvisedRule, tested: ReadonlySet<string>): FoundAdvice | undefined {
  const { expr, target } = node;
  if (expr.kind !== 'select' || expr.testOnly || target === undefined || isOptional(target)) return undefined;
  const place = valuePlaceOf(node, scope, rule.schema);
  const holder = valuePlaceOf(target, scope, rule.schema)?.schema;
  const step = place?.steps.at(-1);
  if (place === undefined || holder === undefined || step?.kind !== 'property') return undefined;
  const path = [...rule.steps, ...place.steps];
  if (isExpectedField(holder, step.name) || tested.has(fieldsText(path)) || leadsIntoMetaFields(rule.root, path)) return undefined;
  return {
    text: `${fieldsText(path)} may be absent: where the result hangs on it, the rule then ends with "no such key: ${step.name}", and the server refuses the object, whatever the rule's own message. Test it with has() before it is read, require it, or give it a default.`,
    offset: startOf(node),
  };
}

/**
 * Returns true if a node is an optional, or a field of an optional: `self.?a`, `self.?a.b`. Such nodes never cause
 * errors.
 */
function isOptional({ expr, call, target }: WrittenNode): boolean {
  return (
    call === OPERATOR.optionalSelect ||
    call === OPERATOR.optionalIndex ||
    (expr.kind === 'select' && target !== undefined && isOptional(target))
  );
}

/**
 * Function that collects the fields that some rule of the version tests or reads as an optional. The author of such a rule knows that the
 * field may be absent.
 */
const testedFields = fieldsMeant((node) => ((node.expr.kind === 'select' && node.expr.testOnly) || isOptional(node) ? [node] : []));
