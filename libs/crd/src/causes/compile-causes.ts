import { DIFFERENCES, FUNCTIONS, languageChanges, offers, releaseOf, writtenTree } from '#cel';
import type { DifferenceName, CompiledExpression, WrittenNode } from '#cel';
import { MINORS } from '#kube';
import type { Minor } from '#kube';
import type { ExpressionEnvironments } from '../definition/admission/expression-environments.ts';
import { oldSelfOf, RuleContext } from '../definition/admission/rule-context.ts';
import type { ExpressionPart } from '../definition/admission/rule-context.ts';
import { ruleNodes } from '../definition/admission/rule-costs.ts';
import { CRD_CHANGES } from '../minors/minors.ts';
import type { Definition } from '../schema/definition.ts';
import type { ValidationRule } from '../schema/schema-props.ts';

/** Difference between two minor versions that causes their different verdicts or texts. */
export interface VerdictCause {
  /** Name of the entry in a ledger, or the names of functions that only one of them offers, with spaces. */
  readonly name: string;
  /** Sentence for users. It ends without a full stop and may contain Markdown code marks. */
  readonly sentence: string;
  /** Upstream change, such as `cel-go#1350`; undefined for functions. */
  readonly upstream: string | undefined;
}

/** Function that a new rule may use in one of two minor versions only. */
interface DatedName {
  readonly name: string;
  /** First minor version in which new rules may use the name; undefined if only earlier minor versions allow it. */
  readonly first: Minor | undefined;
  /** True if both minor versions have the function, and only one has a signature of it. */
  readonly isSignature: boolean;
}

/** Returns the cause for an entry of the ledger of CEL. */
export function causeOfDifference(name: DifferenceName): VerdictCause {
  const { seen, what } = DIFFERENCES[name];
  return { name, sentence: seen?.sentence ?? what, upstream: seen?.upstream };
}

/**
 * Returns the causes for functions that only one version allows. Functions with the same first version are one cause; new signatures of
 * existing functions are a cause of their own.
 */
export function causesOfNames(names: readonly DatedName[]): VerdictCause[] {
  const once = [...new Map(names.map((one) => [one.name, one])).values()];
  const same = Map.groupBy(once, ({ first, isSignature }) => `${first} ${isSignature}`);
  return [...same.values()].map((some) => {
    const { first, isSignature } = some[0] as DatedName;
    const list = some.map(({ name }) => `\`${name}\``).join(', ');
    const used = `${isSignature ? 'another signature of ' : ''}${list}`;
    const sentence = first === undefined ? `New rules may no longer use ${used}` : `Since ${first}, new rules may use ${used}`;
    return { name: some.map(({ name }) => name).join(' '), sentence, upstream: undefined };
  });
}

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
  // One server treats the message as new, and the other as stored, although both treat the rule alike. So the cause is the treatment of old
  // messages.
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
  const dated = (name: string, what: 'name' | 'signature', holds: Holds): DatedName[] => {
    const [one, other] = environments.map(({ minor, use }) => holds(releaseOf(minor, use)));
    if (one === other) return [];
    // If a later version removed the declaration again, `first` stays undefined.
    const isNew = MINORS.map((minor) => holds(releaseOf(minor, 'new')));
    const first = isNew.indexOf(true);
    return [{ name, first: isNew.includes(false, first) ? undefined : MINORS[first], isSignature: what === 'signature' }];
  };
  const declared = [...calls].map((name) => {
    const overloads = FUNCTIONS.flatMap((declaration) => (declaration.name === name ? declaration.overloads : []));
    return { name, overloads };
  });
  const names = declared.flatMap(({ name, overloads }) =>
    dated(name, 'name', (release) => overloads.some((overload) => offers(release, overload))),
  );
  if (names.length > 0) return names;
  return declared.flatMap(({ name, overloads }) =>
    overloads.flatMap((overload) => dated(name, 'signature', (release) => offers(release, overload))).slice(0, 1),
  );
}
