import { EXPRESSION_COST_LIMIT, minorWords, MINORS, previewOf, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { changeShare, grouped, percent } from '#numbers';
import type { EstimateChange, EstimateChanges, RuleEstimates, TotalEstimates } from '#service';
import { minorsText } from '../report/version-matrix.ts';
import type { ChangeGateName } from './gate-list.ts';
import type { Gate } from './read-gates.ts';

/** Gate that an estimate of a definition fails. */
export interface FailedChangeGate {
  /** The gate as the user wrote it, such as `limit-share>25%`. */
  readonly gate: string;
  readonly name: ChangeGateName | 'refused' | 'undecided';
  /** Version and path of the rule. Without a path, the gate fails for the total of the version, and without both for the definition. */
  readonly version?: string;
  readonly path?: string;
  readonly rule?: string;
  readonly state?: RuleEstimates['state'];
  /** Minor versions whose estimates fail the gate. */
  readonly minors: readonly Minor[];
  /** Sentence that describes the failure to the user. */
  readonly text: string;
}

/** Returns the gates that the estimates of one definition fail on the given minor versions. Gates of other figures are left out. */
export function failedChangeGates(
  estimates: EstimateChanges,
  gates: readonly Gate<string>[],
  minors: readonly Minor[],
): readonly FailedChangeGate[] {
  return gates.flatMap((gate): FailedChangeGate[] => {
    switch (gate.kind) {
      case 'minor':
        return gate.name === 'oldest-minor' ? oldestMinor(estimates, { ...gate, name: gate.name }) : [];
      case 'word':
        if (gate.name === 'refused') return refused(estimates, { ...gate, name: gate.name }, refusalMinors(gates, minors));
        return gate.name === 'undecided' ? undecided(estimates, { ...gate, name: gate.name }, minors) : [];
      case 'bound': {
        const { name } = gate;
        if (name !== 'estimate-worse' && name !== 'limit-share' && name !== 'new-rule-share') return [];
        return figuresOf(estimates).flatMap((figure) => failure(figure, { ...gate, name }, minors) ?? []);
      }
    }
  });
}

/** An estimate that gates compare: of a rule, of its `messageExpression`, or of all rules of a version. */
interface Figure {
  readonly costs: RuleEstimates['costs'];
  readonly limit: bigint;
  /** Name of the estimate in sentences. */
  readonly name: string;
  /** Name of the limit in sentences. */
  readonly limitName: string;
  readonly of: Pick<FailedChangeGate, 'version' | 'path' | 'rule' | 'state'>;
}

function figuresOf({ rules, totals }: EstimateChanges): readonly Figure[] {
  const limits = { rule: { limit: EXPRESSION_COST_LIMIT, limitName: 'the limit of a rule' }, total: { limit: SCHEMA_COST_LIMIT } };
  return [
    ...totals.map(({ version, costs }: TotalEstimates): Figure => ({
      costs,
      ...limits.total,
      limitName: 'the limit of a version',
      name: `the total of ${version}`,
      of: { version },
    })),
    ...rules.flatMap(({ costs, messageCosts, version, path, rule, state }): Figure[] => {
      const of = { version, path, rule, state };
      return [
        { costs, ...limits.rule, name: 'the rule', of },
        ...(Object.keys(messageCosts).length === 0 ? [] : [{ costs: messageCosts, ...limits.rule, name: 'its messageExpression', of }]),
      ];
    }),
  ];
}

type BoundGate = Extract<Gate<Exclude<ChangeGateName, 'oldest-minor'>>, { readonly kind: 'bound' }>;

/** Returns the failure of an estimate; undefined if it passes the gate on all minor versions. The sentence is about the worst one. */
function failure(figure: Figure, gate: BoundGate, minors: readonly Minor[]): FailedChangeGate | undefined {
  const { costs, limit, name, limitName, of } = figure;
  if (gate.name === 'new-rule-share' && of.state !== 'new') return undefined;
  const failing = minors.filter((minor) => costs[minor] !== undefined && fails(costs[minor], gate, limit));
  const size = (minor: Minor): number => Number(costs[minor]?.after ?? 0);
  const rise = (minor: Minor): number => (size(minor) + 1) / (Number(costs[minor]?.before ?? 0) + 1);
  const [worst] = failing.toSorted((a, b) => rise(b) - rise(a) || size(b) - size(a));
  if (worst === undefined) return undefined;
  const { before, after = '0' } = costs[worst] ?? {};
  const share = percent(Number(after) / Number(limit));
  const more = before === undefined ? '' : `, ${riseText(Number(before), Number(after))} than ${grouped(before)} before`;
  const state = of.state === undefined || of.state === 'same' || of.state === 'only' ? '' : ` (${of.state})`;
  const text = `${gate.text}: ${name}${state} takes ${grouped(after)}${more}, ${share} of ${limitName}, on ${minorsText(failing, minors, minorWords)}`;
  return { gate: gate.text, name: gate.name, ...of, minors: failing, text };
}

function riseText(before: number, after: number): string {
  if (before === 0) return 'more';
  return after >= before ? `${changeShare(after / before - 1)} more` : 'less';
}

function fails({ before, after }: EstimateChange, { name, bound }: BoundGate, limit: bigint): boolean {
  if (after === undefined) return false;
  const isRisen = before === undefined || BigInt(after) > BigInt(before);
  switch (name) {
    case 'estimate-worse':
      return before !== undefined && isRisen && Number(after) > Number(before) * (1 + bound / 100);
    case 'limit-share':
      return isRisen && Number(after) > (Number(limit) * bound) / 100;
    case 'new-rule-share':
      return Number(after) > (Number(limit) * bound) / 100;
  }
}

function oldestMinor({ accepted }: EstimateChanges, gate: Extract<Gate<'oldest-minor'>, { readonly kind: 'minor' }>): FailedChangeGate[] {
  if (accepted[gate.minor]?.after !== false) return [];
  const oldest = MINORS.find((minor) => accepted[minor]?.after === true);
  const found = oldest === undefined ? 'no version takes the definition' : `the oldest version that takes the definition is ${oldest}`;
  return [{ gate: gate.text, name: gate.name, minors: [gate.minor], text: `${gate.text}: ${gate.minor} refuses the definition; ${found}` }];
}

/**
 * Returns the minor versions whose refusals count for the gate `refused`: all released ones and the chosen ones. A gate `oldest-minor` leaves
 * out the older ones.
 *
 * @param chosen minor versions whose estimates the gates compare
 */
export function refusalMinors(gates: readonly Gate<string>[], chosen: readonly Minor[]): readonly Minor[] {
  const oldest = Math.max(0, ...gates.map((gate) => (gate.kind === 'minor' ? MINORS.indexOf(gate.minor) : 0)));
  return MINORS.filter((minor, i) => i >= oldest && (previewOf(minor) === undefined || chosen.includes(minor)));
}

/** Returns a failure if minor versions, whose refusals count, accept only the older state of the definition. */
function refused({ accepted }: EstimateChanges, { name, text }: Gate<'refused'>, counted: readonly Minor[]): FailedChangeGate[] {
  const minors = counted.filter((minor) => accepted[minor]?.before === true && accepted[minor].after === false);
  if (minors.length === 0) return [];
  return [
    { gate: text, name, minors, text: `${text}: the definition is refused from now on by ${minorsText(minors, MINORS, minorWords)}` },
  ];
}

/** Returns a failure for a definition without estimates, and for each rule of the newer state that has no estimate on any minor version. */
function undecided(
  { rules, isIncomplete }: EstimateChanges,
  { name, text }: Gate<'undecided'>,
  minors: readonly Minor[],
): FailedChangeGate[] {
  const gate = { gate: text, name, minors };
  if (isIncomplete) return [{ ...gate, text: `${text}: the definition could not be estimated` }];
  return rules
    .filter(({ state, costs }) => state !== 'gone' && minors.every((minor) => costs[minor]?.after === undefined))
    .map(({ version, path, rule, state }) => ({ ...gate, version, path, rule, state, text: `${text}: the rule has no estimate` }));
}
