import type { DefinitionReport, DefinitionSlice, EvaluationOptions } from '#documents';
import { definitionText, definitionWrite, inMinor, serverOf } from '#documents';
import { MINORS } from '#kube';
import type { Minor } from '#kube';
import type { JudgedDefinition } from '#runner';
import type { ByMinor } from '../matrix/compare-minors.ts';
import type { Engine } from '../ports.ts';
import { matchRules, renamedVersion } from './match-rules.ts';
import type { MatchedRule, RenamedVersion, RuleMatch, RuleState } from './match-rules.ts';

/** Estimates of one cost in two states, in cost units as decimal text. A state without an estimate has none. */
export interface EstimateChange {
  readonly before?: string;
  readonly after?: string;
}

/** Rule with its estimates in two states of a definition, by the minor version of the server. */
export interface RuleEstimates extends MatchedRule {
  /** `only` if there is no older state with which the rule could be compared. */
  readonly state: RuleState | 'only';
  /** The rule in the older state, if its version, node or text differ. */
  readonly from?: MatchedRule;
  /** Estimates of all evaluations of the rule in one object. */
  readonly costs: ByMinor<EstimateChange>;
  /** Estimates of the rule's `messageExpression`. Empty if there is none. */
  readonly messageCosts: ByMinor<EstimateChange>;
}

/** Estimates of all rules of one version together in two states of a definition. A state with a rule that does not compile has none. */
export interface TotalEstimates {
  readonly version: string;
  /** Name of the version in the older state, if it differs. */
  readonly from?: string;
  readonly costs: ByMinor<EstimateChange>;
}

/** Estimates and decisions of each server about two states of a definition. */
export interface EstimateChanges {
  readonly rules: readonly RuleEstimates[];
  readonly totals: readonly TotalEstimates[];
  /** Decisions of the servers about the creation of the definition. */
  readonly accepted: ByMinor<{ readonly before?: boolean; readonly after?: boolean }>;
  /** Report on the creation of the newer state on the server of the options; absent if there is none. */
  readonly report?: DefinitionReport;
  /** True if the engine could not estimate both states, for example because a client stopped it. */
  readonly isIncomplete: boolean;
}

/** Two states of a definition. The older one is undefined if the definition is new, and `none` if there is nothing to compare with. */
export interface EstimatedStates {
  readonly from: DefinitionSlice | 'none' | undefined;
  /** Undefined if the definition is gone. */
  readonly to: DefinitionSlice | undefined;
}

/**
 * Estimates both states of a definition for the servers of all minor versions, as these servers do when the definition is created. Pairs
 * the rules of both states. Estimates exist even if a server refuses the definition.
 */
export async function estimateChanges(engine: Engine, states: EstimatedStates, options: EvaluationOptions): Promise<EstimateChanges> {
  const before = await judgedByMinor(engine, states.from === 'none' ? undefined : states.from, options);
  const after = await judgedByMinor(engine, states.to, options);
  const renamed = renamedVersion(versionsOf(before), versionsOf(after));
  const matches = matchRules(allRules(before), allRules(after), renamed);
  const prices = { before: pricesOf(before), after: pricesOf(after) };
  const hasBase = states.from !== 'none';
  const report = after?.get(options.kubernetesVersion)?.report;
  return {
    rules: matches.map((match) => ruleEstimates(match, prices, hasBase)),
    totals: totalsOf(before, after, renamed),
    accepted: Object.fromEntries(
      MINORS.map((minor) => {
        const [was, is] = [before, after].map((judged) => judged?.get(minor)?.report.accepted);
        return [minor, { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
      }),
    ),
    ...(report && { report }),
    isIncomplete: before === undefined || after === undefined,
  };
}

/** Verdicts on one state of a definition. Empty if there is no such state; undefined if the engine gave no answer. */
type Judged = ReadonlyMap<Minor, JudgedDefinition> | undefined;

async function judgedByMinor(engine: Engine, slice: DefinitionSlice | undefined, options: EvaluationOptions): Promise<Judged> {
  if (slice === undefined) return new Map();
  const definitions = MINORS.map((minor) => definitionText(slice, serverOf(inMinor(options, minor))));
  const [first] = definitions;
  if (first === undefined) return new Map();
  const answer = await engine.run({ kind: 'judge-each', definitions, rules: true, ...definitionWrite(first, options) });
  if (answer.kind !== 'done') return undefined;
  return new Map(MINORS.flatMap((minor, i) => (answer.result[i] === undefined ? [] : [[minor, answer.result[i]] as const])));
}

const keyOf = ({ version, path }: MatchedRule): string => JSON.stringify([version, path]);

/** Returns the rules of all minor versions, each once. A minor version may drop fields that hold rules. */
function allRules(judged: Judged): readonly MatchedRule[] {
  const rules = new Map<string, MatchedRule>();
  for (const list of new Set([...(judged?.values() ?? [])].toReversed().map((one) => one.rules ?? [])))
    for (const { version, path, rule } of list) {
      const key = keyOf({ version, path, rule });
      if (!rules.has(key)) rules.set(key, { version, path, rule });
    }
  return [...rules.values()];
}

/** Estimates of the rules of one state, by minor version and rule. A rule that does not compile has none. */
type Prices = ReadonlyMap<Minor, ReadonlyMap<string, { readonly cost: string; readonly message?: string | undefined }>>;

function pricesOf(judged: Judged): Prices {
  const byList = new Map<
    JudgedDefinition['rules'],
    ReadonlyMap<string, { readonly cost: string; readonly message?: string | undefined }>
  >();
  for (const { rules } of judged?.values() ?? []) {
    if (byList.has(rules)) continue;
    const priced = (rules ?? []).filter(({ error }) => error === undefined);
    byList.set(rules, new Map(priced.map((rule) => [keyOf(rule), { cost: rule.totalCost, message: rule.messageMaxCost }])));
  }
  return new Map([...(judged ?? [])].map(([minor, { rules }]) => [minor, byList.get(rules) ?? new Map()]));
}

function ruleEstimates(
  { state, before, after }: RuleMatch<MatchedRule>,
  prices: { readonly before: Prices; readonly after: Prices },
  hasBase: boolean,
): RuleEstimates {
  const priceOf = (rule: MatchedRule | undefined, when: 'before' | 'after', minor: Minor) =>
    rule && prices[when].get(minor)?.get(keyOf(rule));
  const changes = (figure: 'cost' | 'message'): ByMinor<EstimateChange> =>
    Object.fromEntries(
      MINORS.flatMap((minor) => {
        const change = changeOf(priceOf(before, 'before', minor)?.[figure], priceOf(after, 'after', minor)?.[figure]);
        return change === undefined ? [] : [[minor, change]];
      }),
    );
  const { version, path, rule } = after ?? before;
  const isElsewhere = before !== undefined && after !== undefined && (state !== 'same' || before.version !== after.version);
  return {
    state: hasBase ? state : 'only',
    version,
    path,
    rule,
    ...(isElsewhere && { from: before }),
    costs: changes('cost'),
    messageCosts: changes('message'),
  };
}

/** Returns the names of the versions with estimates. */
const versionsOf = (judged: Judged): readonly string[] => [
  ...new Set([...(judged?.values() ?? [])].flatMap(({ schemaCost = {} }) => Object.keys(schemaCost))),
];

function totalsOf(before: Judged, after: Judged, renamed: RenamedVersion | undefined): readonly TotalEstimates[] {
  const [old, now] = [versionsOf(before), versionsOf(after)];
  // A sum without the rules that do not compile on a minor version would look like a lower cost.
  const totalOf = (judged: Judged, minor: Minor, version: string): string | undefined => {
    const { rules = [], schemaCost } = judged?.get(minor) ?? {};
    return rules.some((rule) => rule.version === version && rule.error !== undefined) ? undefined : schemaCost?.[version];
  };
  const gone = old.filter((version) => !now.includes(version) && version !== renamed?.before);
  return [...now, ...gone].map((version) => {
    const was = version === renamed?.after ? renamed.before : version;
    const costs = MINORS.flatMap((minor) => {
      const change = changeOf(totalOf(before, minor, was), totalOf(after, minor, version));
      return change === undefined ? [] : [[minor, change] as const];
    });
    return { version, ...(was !== version && { from: was }), costs: Object.fromEntries(costs) };
  });
}

function changeOf(before: string | undefined, after: string | undefined): EstimateChange | undefined {
  if (before === undefined && after === undefined) return undefined;
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
