import { compareBytes } from '#go';
import { childAt, schemaPathText } from '../../schema/schema-path.ts';
import type { SchemaPath, SchemaStep } from '../../schema/schema-path.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { holdsRules } from '../../schema/walk-schema.ts';
import type { RuleContext } from './rule-context.ts';

/** Schema node that has rules. */
export interface RuleNode {
  readonly steps: SchemaPath;
  readonly schema: SchemaProps;
  readonly context: RuleContext;
  /** Paths of the node's rules, see {@link rulePathTexts}. */
  readonly rulePaths: readonly string[];
}

/**
 * Returns the nodes that have rules in the schema of a version. Parents come before their children, and properties are sorted by name.
 * `context` is the rule context of the schema's root.
 */
export function ruleNodes(schema: SchemaProps, context: RuleContext): readonly RuleNode[] {
  const found: RuleNode[] = [];
  if (holdsRules(schema)) collect(placesOf(schema), context, found);
  return found;
}

function collect({ steps, schema, rulePaths, below }: RulePlace, context: RuleContext, found: RuleNode[]): void {
  if (schema.rules.length > 0) found.push({ steps, schema, context, rulePaths });
  for (const { step, place } of below) collect(place, context.at(step, place.schema), found);
}

/**
 * Returns the paths of a node's rules in the form that errors and costs use:
 * `properties[spec].x-kubernetes-validations[0]`.
 */
export function rulePathTexts(steps: SchemaPath, rules: number): readonly string[] {
  if (rules === 0) return [];
  const at = [...(steps.length === 0 ? [] : [schemaPathText(steps)]), 'x-kubernetes-validations'].join('.');
  return Array.from({ length: rules }, (_, i) => `${at}[${i}]`);
}

/** Schema node that has rules itself or in its descendants; `below` lists the children for which this is true. */
interface RulePlace extends Omit<RuleNode, 'context'> {
  readonly below: readonly { readonly step: SchemaStep; readonly place: RulePlace }[];
}

/**
 * Cache of the schema nodes that have rules, by the root of a version's schema. Verdicts for several Kubernetes minor versions, computed
 * one after another, share the nodes. The references are weak, because freed nodes can be computed again.
 */
const places = new WeakMap<SchemaProps, WeakRef<RulePlace>>();

function placesOf(root: SchemaProps): RulePlace {
  const known = places.get(root)?.deref();
  if (known !== undefined) return known;
  const place = placeOf(root, []);
  places.set(root, new WeakRef(place));
  return place;
}

function placeOf(schema: SchemaProps, steps: SchemaPath): RulePlace {
  const below = stepsFrom(schema).flatMap((step) => {
    const child = childAt(schema, step);
    return child !== undefined && holdsRules(child) ? [{ step, place: placeOf(child, [...steps, step]) }] : [];
  });
  return { steps, schema, rulePaths: rulePathTexts(steps, schema.rules.length), below };
}

function stepsFrom({ properties }: SchemaProps): readonly SchemaStep[] {
  const names = [...(properties ?? [])].filter(([, property]) => holdsRules(property)).map(([name]) => name);
  return [
    { kind: 'additionalProperties' },
    ...names.sort(compareBytes).map((name) => ({ kind: 'property', name }) as const),
    { kind: 'items' },
  ];
}
