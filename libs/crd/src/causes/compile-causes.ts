import { DIFFERENCES, FUNCTIONS, offers, releaseOf, RESERVED_WORDS, writtenTree } from '#cel';
import type { DifferenceName, WrittenNode } from '#cel';
import { MINORS } from '#kube';
import type { Minor } from '#kube';
import { expressionEnvironments } from '../definition/admission/expression-environments.ts';
import { RuleContext } from '../definition/admission/rule-context.ts';
import { ruleNodes } from '../definition/admission/rule-nodes.ts';
import type { Definition } from '../schema/definition.ts';

/** Function, macro or field that a new rule may use in one of two minor versions only. */
export interface DatedName {
  readonly name: string;
  /** First minor version in which new rules may use the name; undefined if only earlier minor versions allow it. */
  readonly first: Minor | undefined;
  /** Entry of `DIFFERENCES` that introduced a macro; undefined for a function, whose declaration has the dates. */
  readonly change: DifferenceName | undefined;
}

/** Rule that compiles in one of two minor versions only, with the names that the other one does not offer. */
export interface UncompiledRule {
  readonly version: string;
  readonly path: string;
  readonly text: string;
  readonly names: readonly DatedName[];
}

/**
 * Returns the rules of a definition that compile in only one of two minor versions. The declarations of functions and macros say which names
 * of a rule the other minor version does not offer to new rules.
 */
export function compileCauses(definition: Definition, from: Minor, to: Minor): readonly UncompiledRule[] {
  const found: UncompiledRule[] = [];
  const seen = new Set<string>();
  for (const { name: version, schema } of definition.spec.versions) {
    if (schema === undefined || seen.has(version)) continue;
    seen.add(version);
    const [before, after] = [from, to].map((minor) =>
      ruleNodes(schema, RuleContext.root(schema, expressionEnvironments(minor, undefined))),
    );
    for (const [n, { schema: node, context, rulePaths }] of (before ?? []).entries()) {
      const other = (after ?? [])[n]?.context;
      for (const [i, rule] of node.rules.entries()) {
        const [ours, theirs] = [context.checkedRule(rule), other?.checkedRule(rule)];
        const checked = ours ?? theirs;
        if (checked === undefined || (ours === undefined) === (theirs === undefined)) continue;
        const refusing = ours === undefined ? from : to;
        found.push({ version, path: rulePaths[i] as string, text: rule.rule, names: namesNotIn(refusing, writtenTree(checked)) });
      }
    }
  }
  return found;
}

/** Returns the functions and macros of an expression that `minor` does not offer to new rules. */
function namesNotIn(minor: Minor, tree: WrittenNode): readonly DatedName[] {
  const calls = new Map<string, WrittenNode>();
  const visit = (node: WrittenNode): void => {
    if (node.call !== undefined || keywordOf(node) !== undefined) calls.set(`${node.call ?? 'field'} ${node.variables.length}`, node);
    for (const child of [...(node.target ? [node.target] : []), ...node.args]) visit(child);
  };
  visit(tree);
  const names = [...calls.values()].flatMap((node) => datedName(minor, node) ?? []);
  return [...new Map(names.map((one) => [one.name, one])).values()];
}

function datedName(minor: Minor, node: WrittenNode): DatedName | undefined {
  const name = keywordOf(node) ?? node.call ?? '';
  const change = macroChange(node);
  const offeredIn = (one: Minor): boolean => {
    const release = releaseOf(one, 'new');
    if (change !== undefined) return release[DIFFERENCES[change].by] >= DIFFERENCES[change].since;
    const declared = FUNCTIONS.filter((declaration) => declaration.name === name);
    return declared.length === 0 || declared.some(({ overloads }) => overloads.some((overload) => offers(release, overload)));
  };
  return offeredIn(minor) ? undefined : { name, first: MINORS.find(offeredIn), change };
}

/** Number of variables of a macro with two variables, such as `all(i, v, …)`. */
const TWO = 2;

/**
 * Returns the entry of `DIFFERENCES` that introduced a macro, or the selection of a field whose name is a keyword. Returns undefined for a
 * function, and for a macro that all versions have.
 */
function macroChange(node: WrittenNode): DifferenceName | undefined {
  const { call, variables } = node;
  if (keywordOf(node) !== undefined) return 'keywordFields';
  if (call === 'sortBy') return 'sortByMacro';
  return variables.length === TWO ? 'twoVariableMacros' : undefined;
}

/** Returns the field that a node selects, if its name is a keyword of CEL, such as `namespace`. */
const keywordOf = ({ expr }: WrittenNode): string | undefined =>
  expr.kind === 'select' && RESERVED_WORDS.has(expr.field) ? expr.field : undefined;
