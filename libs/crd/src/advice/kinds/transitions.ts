import { OPERATOR } from '#cel';
import type { WrittenNode } from '#cel';
import { mapIsCorrelatable } from '../../rules/rule-cursor.ts';
import { fieldsText, nodeAtPath, childAt } from '../../schema/schema-path.ts';
import type { SchemaPath } from '../../schema/schema-path.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { isExpectedField } from '../fields-meant.ts';
import { allNodes, chainOf, writtenShapeOf } from '../written-nodes.ts';

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
  ofRule: (rule) => ofImmutable(rule),
};

function ofImmutable(rule: AdvisedRule): FoundAdvice[] {
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

/** Advice on transition rules below a list or map whose elements cannot be correlated with old values. */
export const transitionOutOfReach: AdviceKind = {
  id: 'transition-out-of-reach',
  title: 'The server can find the old value for each transition rule (a rule with oldSelf)',
  doc: `For a rule with \`oldSelf\`, the server must find the old value that belongs to the new one. A server cannot find this value below an atomic list, a set or an atomic map, so it refuses the
definition. Give the list \`x-kubernetes-list-type: map\` with keys, by which the server finds the old element. Or move the rule to the list itself, and compare \`self\` with \`oldSelf\`
there.`,
  example: {
    before: `
properties:
  disks:
    type: array
    maxItems: 10
    items:
      type: object
      required: [name, size]
      properties: {name: {type: string, maxLength: 20}, size: {type: integer}}
      x-kubernetes-validations:
      - rule: self.size >= oldSelf.size`,
    after: `
properties:
  disks:
    type: array
    maxItems: 10
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name, size]
      properties: {name: {type: string, maxLength: 20}, size: {type: integer}}
      x-kubernetes-validations:
      - rule: self.size >= oldSelf.size`,
    refused: true,
  },
  ofRule: (rule) => ofTransition(rule),
};

function ofTransition({ cost, steps, root }: AdvisedRule): FoundAdvice[] {
  if (!cost.usesOldSelf) return [];
  const at = uncorrelatable(root, steps);
  if (at === undefined) return [];
  const { schema, path } = at;
  const field = fieldsText(path);
  if (schema.type !== 'array')
    return [
      {
        text: `${field} is an atomic map: its fields have no old values, and the rule cannot run. x-kubernetes-map-type: granular, or a rule at ${field} itself.`,
      },
    ];
  const keys = (schema.items?.schema?.required ?? []).filter((name) => isScalar(schema.items?.schema?.properties?.get(name)));
  const remedy =
    schema.items?.schema?.type !== 'object'
      ? ''
      : ` x-kubernetes-list-type: map correlates them${keys.length > 0 ? `, by keys such as ${keys.slice(0, 3).join(', ')}` : ' by keys, which have to be required or have a default'};`;
  return [
    {
      text: `The elements of ${field} have no old values (it is ${schema.listType === 'set' ? 'a set' : 'an atomic list'}), so the rule cannot run.${remedy} or else compare whole lists with oldSelf at ${field}.`,
    },
  ];
}

const isScalar = (schema: SchemaProps | undefined): boolean =>
  schema !== undefined && ['string', 'integer', 'number', 'boolean'].includes(schema.type);

/**
 * Returns the first schema node along the path `steps` whose children have no correlated old values, with its path. Returns undefined if
 * all children have such values.
 */
function uncorrelatable(root: SchemaProps, steps: SchemaPath): { readonly schema: SchemaProps; readonly path: SchemaPath } | undefined {
  let schema: SchemaProps | undefined = root;
  for (const [i, step] of steps.entries()) {
    if (schema === undefined) return undefined;
    const isLost = step.kind === 'items' ? schema.listType !== 'map' : !mapIsCorrelatable(schema.mapType);
    if (isLost) return { schema, path: steps.slice(0, i) };
    schema = childAt(schema, step);
  }
  return undefined;
}
