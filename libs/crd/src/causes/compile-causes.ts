import { FUNCTIONS, languageChanges, offers, releaseOf, writtenTree } from '#cel';
import type { CompiledExpression, WrittenNode } from '#cel';
import { MINORS } from '#kube';
import type { ExpressionEnvironments } from '../definition/admission/expression-environments.ts';
import { oldSelfOf, RuleContext } from '../definition/admission/rule-context.ts';
import type { ExpressionPart } from '../definition/admission/rule-context.ts';
import { ruleNodes } from '../definition/admission/rule-costs.ts';
import { CRD_CHANGES } from '../minors/minors.ts';
import type { Definition } from '../schema/definition.ts';
import type { ValidationRule } from '../schema/schema-props.ts';
import { causeOfDifference } from './named-causes.ts';
import type { DatedName, VerdictCause } from './named-causes.ts';

/** Rule or messageExpression whose compilation has different results in two minor versions, with the reasons. */
export interface UncompiledExpression {
  readonly version: string;
  readonly path: string;
  readonly text: string;
  readonly isMessage: boolean;
  /** True if one minor version compiles the expression and the other does not. Otherwise, only the words of the errors differ. */
  readonly compilesInOne: boolean;
  /** Functions that one minor version offers and the other does not. */
  readonly names: readonly DatedName[];
  /** Differences in the language, or in the treatment of stored expressions. */
  readonly changes: readonly VerdictCause[];
}

/** Definition as two servers prepare it, with the environments in which they compile its expressions. */
export interface TwoDefinitions {
  readonly definition: Definition;
  readonly environments: readonly [ExpressionEnvironments, ExpressionEnvironments];
}

/**
 * Returns the expressions of a definition whose compilation has different results in two minor versions. The declarations of functions say
 * which names of an expression the other minor version does not offer. The record of what parser and checker read says which differences
 * in the language concern the expression.
 */
export function compileCauses({ definition, environments }: TwoDefinitions): readonly UncompiledExpression[] {
  const found: UncompiledExpression[] = [];
  const seen = new Set<string>();
  for (const { name: version, schema } of definition.spec.versions) {
    if (schema === undefined || seen.has(version)) continue;
    seen.add(version);
    const [before = [], after = []] = environments.map((some) => ruleNodes(schema, RuleContext.root(schema, some)));
    for (const [n, { schema: node, context, rulePaths }] of before.entries()) {
      const contexts = [context, after[n]?.context ?? context] as const;
      for (const [i, rule] of node.rules.entries()) {
        for (const part of ['rule', 'messageExpression'] as const) {
          const causes = causesOfPart(rule, part, contexts, environments);
          if (causes !== undefined)
            found.push({ version, path: rulePaths[i] as string, text: rule[part], isMessage: part !== 'rule', ...causes });
        }
      }
    }
  }
  return found;
}

type PartCauses = Pick<UncompiledExpression, 'compilesInOne' | 'names' | 'changes'>;

function causesOfPart(
  rule: ValidationRule,
  part: ExpressionPart,
  contexts: readonly [RuleContext, RuleContext],
  environments: TwoDefinitions['environments'],
): PartCauses | undefined {
  const [before, after] = [contexts[0].compiledPart(rule, part), contexts[1].compiledPart(rule, part)];
  const [self] = contexts.map((context) => context.selfType());
  if (before === undefined || after === undefined || self === undefined || errorOf(before) === errorOf(after)) return undefined;
  const text = rule[part];
  const used = environments.map((some) => (part === 'rule' ? some.forRule(text) : some.forMessage(text)));
  const [one, other] = used;
  if (one === undefined || other === undefined) return undefined;
  const compilesInOne = before.ok !== after.ok;
  // If only one server updates a stored definition, the use of the rule differs, too.
  const [ruleUse, otherUse] = environments.map((some) => some.forRule(rule.rule).use);
  if (one.use !== other.use && ruleUse === otherUse) return { compilesInOne, names: [], changes: [CRD_CHANGES.oldMessagesAreKept] };
  const compiled = before.ok ? before : after.ok ? after : undefined;
  const names = compilesInOne && compiled?.ok === true ? namesOfOne(writtenTree(compiled.checked), [one, other]) : [];
  const compilations = {
    text,
    self,
    oldSelf: oldSelfOf(rule),
    environments: [one, other],
    errors: [errorOf(before), errorOf(after)],
  } as const;
  return { compilesInOne, names, changes: languageChanges(compilations).map(causeOfDifference) };
}

const errorOf = (compiled: CompiledExpression): string | undefined => (compiled.ok ? undefined : compiled.error);

type UsedEnvironment = ReturnType<ExpressionEnvironments['forRule']>;

/** Returns the functions in an expression that only one of two environments offers. */
function namesOfOne(tree: WrittenNode, environments: readonly [UsedEnvironment, UsedEnvironment]): readonly DatedName[] {
  const calls = new Set<string>();
  const visit = (node: WrittenNode): void => {
    if (node.call !== undefined && node.variables.length === 0) calls.add(node.call);
    for (const child of [...(node.target ? [node.target] : []), ...node.args]) visit(child);
  };
  visit(tree);
  type Holds = (release: ReturnType<typeof releaseOf>) => boolean;
  const dated = (name: string, isSignature: boolean, holds: Holds): DatedName[] => {
    const [one, other] = environments.map(({ minor, use }) => holds(releaseOf(minor, use)));
    if (one === other) return [];
    // There is no first version if a later version lacks the declaration again: then it was removed.
    const isNew = MINORS.map((minor) => holds(releaseOf(minor, 'new')));
    const first = isNew.indexOf(true);
    return [{ name, first: isNew.includes(false, first) ? undefined : MINORS[first], isSignature }];
  };
  const declared = [...calls].map((name) => {
    const overloads = FUNCTIONS.flatMap((declaration) => (declaration.name === name ? declaration.overloads : []));
    return { name, overloads };
  });
  const names = declared.flatMap(({ name, overloads }) =>
    dated(name, false, (release) => overloads.some((overload) => offers(release, overload))),
  );
  if (names.length > 0) return names;
  return declared.flatMap(({ name, overloads }) =>
    overloads.flatMap((overload) => dated(name, true, (release) => offers(release, overload))).slice(0, 1),
  );
}
