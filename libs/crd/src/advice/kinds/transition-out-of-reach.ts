import { mapIsCorrelatable } from '../../rules/correlatable-map.ts';
import { childAt, fieldsText } from '../../schema/schema-path.ts';
import type { SchemaPath } from '../../schema/schema-path.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';

/** Advice on transition rules below a list or map whose elements cannot be correlated with old values. */
export const transitionOutOfReach: AdviceKind = {
  id: 'transition-out-of-reach',
  title: 'A transition rule (a rule with oldSelf) is at a value whose old value the server can find',
  doc: `For a rule with \`oldSelf\`, the server must find the old value that belongs to the new one. It cannot do so below an atomic list, a set or an atomic map. So it refuses such a
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
  ofRule: (rule) => found(rule),
};

function found({ cost, steps, root }: AdvisedRule): FoundAdvice[] {
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
