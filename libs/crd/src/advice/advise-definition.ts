import { memoizeWeak, minMatchLength } from '#go';
import { environmentFor, writtenTree } from '#cel';
import type { CheckedExpression, WrittenNode } from '#cel';
import type { Minor } from '#kube';
import { RuleContext } from '../definition/admission/rule-context.ts';
import { ruleNodes } from '../definition/admission/rule-costs.ts';
import type { RuleNode } from '../definition/admission/rule-costs.ts';
import type { RuleExplanation } from '../explain/explain-version.ts';
import { childAt } from '../schema/schema-path.ts';
import type { SchemaProps, ValidationRule } from '../schema/schema-props.ts';
import type { RuleCost } from '../verdict.ts';
import type { Advice, AdvisedRule, AdvisedSchema, FoundAdvice, AdvisedNode } from './advice.ts';
import { ADVICE_KINDS } from './all-kinds.ts';

/** Version of a definition for which advice is computed, with its schema and the costs of its rules. */
export interface AdvisedVersion {
  readonly version: string;
  readonly root: SchemaProps;
  readonly context: RuleContext;
  /** Costs of the rules. They include the costs of the rules' parts if an explanation computed these costs. */
  readonly rules: readonly (RuleCost & Partial<Pick<RuleExplanation, 'parts'>>)[];
  readonly prices: AdvisedSchema['prices'];
  readonly suggested: AdvisedSchema['suggested'];
  readonly oldest: Minor | undefined;
}

/**
 * Returns the advice on a definition. Steps: parse the rules of each version as their authors wrote them → apply each kind of advice →
 * merge equal advice of several versions.
 */
export function adviseDefinition(versions: readonly AdvisedVersion[]): readonly Advice[] {
  const all = versions.flatMap((version) => ofVersion(version));
  const same = Map.groupBy(all, ({ id, path, text, line, column }) => JSON.stringify([id, path, text, line, column]));
  return [...same.values()].flatMap((group) =>
    group.slice(0, 1).map((one) => ({ ...one, versions: group.flatMap((other) => other.versions) })),
  );
}

/** Rule that compiles, with its path in the notation of rule costs. */
interface CompiledRule {
  readonly node: RuleNode;
  readonly source: ValidationRule;
  readonly path: string;
  readonly tree: WrittenNode;
}

function ofVersion({ version, root, context, rules, prices, suggested, oldest }: AdvisedVersion): Advice[] {
  const compiled = [...ruleNodes(root, context)].flatMap((node) => compiledRules(node));
  const all = compiled.map(({ node, tree }) => ({ steps: node.steps, tree }));
  const texts = new Map(compiled.map(({ path, source }) => [path, source.rule]));
  const priced = new Map(rules.map((rule) => [rule.path, rule]));
  const contexts = new Map<Minor, RuleContext>();
  const contextsOf = (minor: Minor): RuleContext => {
    const known = contexts.get(minor) ?? rootContext(minor, root);
    contexts.set(minor, known);
    return known;
  };
  const bounds = new Set<string>();
  const lengths = new PatternLengths();
  const minMatchLength = (pattern: string): number | undefined => lengths.of(pattern);
  const nodes = advisedNodes(root, minMatchLength);
  return ADVICE_KINDS.flatMap(({ id, ofRule, ofNode, ofSchema, needsParts = false }) => {
    const ofRules = compiled.flatMap(({ node, source, path, tree }) => {
      const cost = priced.get(path);
      if (ofRule === undefined || cost === undefined || (needsParts && cost.parts === undefined)) return [];
      const rule: AdvisedRule = {
        minor: context.minor,
        oldest,
        source,
        tree,
        parts: cost.parts,
        cost,
        steps: node.steps,
        schema: node.schema,
        root,
        all,
        minMatchLength,
        compilesOn: (minor) => compilesIn(contextsOf(minor), source, node),
      };
      return ofRule(rule).map((found) => ({ ...found, path }));
    });
    const ofNodes = ofNode === undefined ? [] : nodes.flatMap((node) => ofNode(node));
    const found = [
      ...ofRules,
      ...ofNodes,
      ...(ofSchema?.({ root, prices, suggested }) ?? []).filter(({ bound }) => bound === undefined || !bounds.has(bound)),
    ];
    for (const { bound } of found) if (bound !== undefined) bounds.add(bound);
    return found.map((one) => placed(one, { id, version, texts }));
  });
}

/** Returns the syntax tree of a checked rule. When an editor checks a definition again, the trees of unchanged rules are reused. */
const treeOf = memoizeWeak((checked: CheckedExpression) => writtenTree(checked));

function compiledRules(node: RuleNode): CompiledRule[] {
  return node.schema.rules.flatMap((source, i) => {
    const checked = node.context.checkedRule(source);
    return checked === undefined ? [] : [{ node, source, path: node.rulePaths[i] as string, tree: treeOf(checked) }];
  });
}

/** Returns the root context in which a server of the given minor version compiles a version's schema in a new definition. */
function rootContext(minor: Minor, root: SchemaProps): RuleContext {
  const environment = environmentFor(minor, 'new');
  return RuleContext.root(root, { minor, forRule: () => environment, forMessage: () => environment });
}

/**
 * Returns true if a rule compiles under `context`, at the schema node that has the same path as the rule's own node. Also returns true if
 * there is no such node, or a different one.
 */
function compilesIn(context: RuleContext, source: ValidationRule, { steps, schema }: RuleNode): boolean {
  let [at, node] = [context, context.ownSchema];
  for (const step of steps) {
    const child = node && childAt(node, step);
    if (child === undefined) return true;
    [at, node] = [at.at(step, child), child];
  }
  return node !== schema || at.checkedRule(source) !== undefined;
}

interface AdvicePlace {
  readonly id: string;
  readonly version: string;
  /** Source texts of the rules that compile, by path, such as `properties[spec].x-kubernetes-validations[0]`. */
  readonly texts: ReadonlyMap<string, string>;
}

function placed({ text, offset = 0, path = '' }: FoundAdvice, { id, version, texts }: AdvicePlace): Advice {
  const before = [...(texts.get(path) ?? '')].slice(0, offset).join('').split('\n');
  return { id, versions: [version], path, text, line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

/** Maximum number of instructions of all patterns of a version whose least lengths are computed. Advice skips further patterns. */
const MAX_INSTRUCTIONS = 200_000;

/**
 * Computes the least lengths of the patterns of a version, each once. The common work is bounded, because a client chooses the patterns.
 */
class PatternLengths {
  readonly #known = new Map<string, number | undefined>();
  #left = MAX_INSTRUCTIONS;

  /**
   * Returns the least number of characters of a text that contains a match of `pattern`; Infinity if no text does. Returns undefined if
   * this is not known.
   */
  of(pattern: string): number | undefined {
    if (this.#known.has(pattern)) return this.#known.get(pattern);
    const least = minMatchLength(pattern, this.#left);
    this.#left -= least?.instructions ?? 0;
    this.#known.set(pattern, least?.length);
    return least?.length;
  }
}

/**
 * Returns all nodes of a version's schema, for advice on keywords. The branches of `allOf`, `anyOf`, `oneOf` and `not` are included. Each
 * node comes before the nodes below it.
 */
function advisedNodes(root: SchemaProps, minMatchLength: AdvisedNode['minMatchLength']): readonly AdvisedNode[] {
  const found: AdvisedNode[] = [];
  const open: { readonly schema: SchemaProps; readonly path: string }[] = [{ schema: root, path: '' }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { schema, path } = at;
    found.push({ schema, path, minMatchLength });
    const before = path === '' ? '' : `${path}.`;
    const below = childrenOf(schema).map(([step, child]) => ({ schema: child, path: `${before}${step}` }));
    open.push(...below.reverse());
  }
  return found;
}

function childrenOf({ properties, items, additionalProperties, allOf, anyOf, oneOf, not }: SchemaProps): [string, SchemaProps][] {
  const listed = (name: string, branches: readonly SchemaProps[]): [string, SchemaProps][] =>
    branches.map((branch, i) => [`${name}[${i}]`, branch]);
  return [
    ...[...(properties ?? [])].map(([name, child]): [string, SchemaProps] => [`properties[${name}]`, child]),
    ...(items?.schema ? [['items', items.schema] satisfies [string, SchemaProps]] : []),
    ...(additionalProperties?.schema ? [['additionalProperties', additionalProperties.schema] satisfies [string, SchemaProps]] : []),
    ...listed('allOf', allOf),
    ...listed('anyOf', anyOf),
    ...listed('oneOf', oneOf),
    ...(not ? [['not', not] satisfies [string, SchemaProps]] : []),
  ];
}
