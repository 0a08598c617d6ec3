import { createHash } from 'node:crypto';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { matchRules, nodeOf } from '#service';
import { placeInObjects } from '../../tracking/tracked-definition.ts';
import type { TrackedDefinition } from '../../tracking/tracked-definition.ts';
import type { FollowedDefinition, SkippedCommit, VerdictsByMinor } from './follow-definitions.ts';
import type { PricedRule } from './judge-contents.ts';
import type { Commit } from './read-commits.ts';

/** Definition as a commit leaves it, on one minor version. */
export interface DefinitionState {
  /** Commit that changes the definition; undefined for the state before the first commit of a range. */
  readonly commit: Commit | undefined;
  /** Path of the file from the root of the repository. */
  readonly path: string;
  /** Name of the file's content in git; undefined if the commit removes the file. */
  readonly blob: string | undefined;
  /** Undefined if the commit removes the definition. */
  readonly figures: StateFigures | undefined;
  /** Most expensive write that a search found; undefined without a search, or if it found none. */
  readonly found?: FoundWrite | undefined;
}

/** Most expensive write of a state that a search found. More expensive ones may exist. */
export interface FoundWrite {
  /** Cost units of the rule that costs most in the write. */
  readonly cost: number;
  /** The rule with this cost. */
  readonly rule: { readonly version: string; readonly path: string };
  /** True if the time did not suffice for all rules. */
  readonly isPartial: boolean;
}

/** Costs, size and verdicts of one state of a definition. */
export interface StateFigures {
  /** Size of the definition as JSON, in bytes. */
  readonly bytes: number;
  readonly ruleCount: number;
  /** Text that is the same for states with the same rules and estimates. */
  readonly digest: string;
  /** Share of its limit of the rule that takes most, from 0; undefined if there is no rule. */
  readonly costliestRule: number | undefined;
  /** Estimated costs of all rules of each version together, as decimal texts. */
  readonly totals: Readonly<Record<string, string>>;
  /** Version whose rules together take most of their limit, with the share; undefined if there is none. */
  readonly total: { readonly version: string; readonly cost: string; readonly share: number } | undefined;
  /** Verdict of each judged minor version: the reason of a refusal, or undefined if it accepts the definition. */
  readonly refusals: ReadonlyMap<Minor, string | undefined>;
}

/** One rule over all states of a definition. */
export interface RuleHistory {
  /** The rule in its newest state. */
  readonly newest: PricedRule;
  /** Position of the first state that has the rule, among the states of the definition. */
  readonly first: number;
  /** Position of the first state that no longer has the rule; undefined if the newest state has it. */
  readonly end: number | undefined;
  /** States in which the cost of the rule becomes another one, in order. */
  readonly costs: readonly { readonly at: number; readonly cost: string; readonly share: number }[];
}

/** All states of one definition, oldest first, and the histories of its rules. The newest judged minor version computes the costs. */
export interface DefinitionHistory {
  readonly name: string;
  readonly file: string;
  readonly minor: Minor;
  readonly states: readonly DefinitionState[];
  /** Rules that moved most first. */
  readonly rules: readonly RuleHistory[];
}

/** Result of `assay history`. */
export interface HistoryResult {
  readonly minors: readonly Minor[];
  readonly definitions: readonly DefinitionHistory[];
  readonly skipped: readonly SkippedCommit[];
  /** Sentences about what the repository or the cache does not contain. */
  readonly notes: readonly string[];
}

/**
 * Returns the histories of definitions from their states.
 *
 * @param minors judged minor versions, the oldest first
 */
export function historiesOf(followed: readonly FollowedDefinition[], minors: readonly Minor[]): readonly DefinitionHistory[] {
  const newest = minors.at(-1);
  if (newest === undefined) return [];
  return followed.map(({ name, file, states }) => ({
    name,
    file,
    minor: newest,
    states: states.map(({ commit, path, blob, byMinor }) => ({ commit, path, blob, figures: figuresOf(byMinor, newest) })),
    rules: ruleHistories(states.map(({ byMinor }) => byMinor.get(newest)?.rules ?? [])),
  }));
}

function figuresOf(byMinor: VerdictsByMinor, newest: Minor): StateFigures | undefined {
  const definition = byMinor.get(newest);
  if (definition === undefined) return undefined;
  const totals = Object.entries(definition.totals).map(([version, cost]) => ({ version, cost, share: shareOf(cost, SCHEMA_COST_LIMIT) }));
  const shares = definition.rules.flatMap(({ cost, error }) => (error === undefined ? [shareOf(cost, EXPRESSION_COST_LIMIT)] : []));
  return {
    bytes: definition.bytes,
    ruleCount: definition.rules.length,
    digest: createHash('sha256')
      .update(JSON.stringify([definition.rules, definition.totals]))
      .digest('hex'),
    totals: definition.totals,
    costliestRule: shares.length === 0 ? undefined : Math.max(...shares),
    total: totals.filter(({ cost }) => cost !== '0').toSorted((a, b) => b.share - a.share)[0],
    refusals: new Map([...byMinor].map(([minor, { accepted, message }]) => [minor, accepted ? undefined : (message ?? 'refused')])),
  };
}

/** Returns the share of a limit that a cost takes. */
export const shareOf = (cost: string, limit: bigint): number => Number(cost) / Number(limit);

/** Rule that is followed from state to state. */
interface Followed {
  newest: PricedRule;
  readonly first: number;
  end: number | undefined;
  readonly costs: { readonly at: number; readonly cost: string; readonly share: number }[];
}

/** Follows each rule from state to state. A rule that returns after it was gone is a new one. */
function ruleHistories(states: readonly (readonly PricedRule[])[]): readonly RuleHistory[] {
  const all: Followed[] = [];
  let followed = new Map<PricedRule, Followed>();
  for (const [at, rules] of states.entries()) {
    const now = new Map<PricedRule, Followed>();
    for (const { before, after } of matchRules(states[at - 1] ?? [], rules)) {
      const known = before && followed.get(before);
      if (after === undefined) {
        if (known) known.end = at;
        continue;
      }
      const one = known ?? { newest: after, first: at, end: undefined, costs: [] };
      if (known === undefined) all.push(one);
      one.newest = after;
      if (one.costs.at(-1)?.cost !== after.cost)
        one.costs.push({ at, cost: after.cost, share: shareOf(after.cost, EXPRESSION_COST_LIMIT) });
      now.set(after, one);
    }
    followed = now;
  }
  return all.toSorted((a, b) => movementOf(b) - movementOf(a));
}

/**
 * Returns a history with the writes that searches found. A state with the same rules and estimates as the one before it has the same write.
 *
 * @param writeOf returns the write that was found for a content
 */
export function withFoundWrites(history: DefinitionHistory, writeOf: (blob: string) => FoundWrite | undefined): DefinitionHistory {
  let last: FoundWrite | undefined;
  let digest: string | undefined;
  const states = history.states.map((state) => {
    if (state.figures?.digest !== digest) last = state.blob === undefined ? undefined : writeOf(state.blob);
    digest = state.figures?.digest;
    return last === undefined ? state : { ...state, found: last };
  });
  return { ...history, states };
}

/** Rules at one schema node with the same cost, shown as one. The oldest of these rules gives the history. */
export interface ShownRule extends RuleHistory {
  /** Versions that have the rules, the oldest rule's first. */
  readonly versions: readonly string[];
  /** Positions of the rules in the list of their node, from 0. */
  readonly positions: readonly number[];
}

/** Returns the rules of a definition. Rules at one schema node, in any versions, that have the same newest cost are shown as one. */
export function shownRules(rules: readonly RuleHistory[]): readonly ShownRule[] {
  const keyOf = ({ newest: { path, cost }, end }: RuleHistory): string => JSON.stringify([nodeOf(path), cost, end === undefined]);
  return [...Map.groupBy(rules, keyOf).values()].flatMap((some) => {
    const [oldest, ...rest] = some.toSorted((a, b) => a.first - b.first);
    if (oldest === undefined) return [];
    const positions = new Set(some.map(({ newest }) => Number(/\[(\d+)\]$/.exec(newest.path)?.[1] ?? 0)));
    return [
      {
        ...oldest,
        versions: [...new Set([oldest, ...rest].map(({ newest }) => newest.version))],
        positions: [...positions].toSorted((a, b) => a - b),
      },
    ];
  });
}

/** Returns rules as text: versions, field and positions, such as `v1 spec.rules[*] x-kubernetes-validations[0]`. */
export const ruleName = ({ newest: { path }, versions, positions }: ShownRule): string =>
  `${versions.join(', ')} ${placeInObjects(path, positions)}`;

/** Returns the figures of the newest state of a definition for tools that track benchmarks; undefined if the definition is gone. */
export function trackedState({ name, minor, states, rules }: DefinitionHistory): TrackedDefinition | undefined {
  const figures = states.at(-1)?.figures;
  if (figures === undefined) return undefined;
  return {
    name,
    minor,
    accepted: new Map([...figures.refusals].map(([one, message]) => [one, message === undefined])),
    rules: rules
      .filter(({ end }) => end === undefined)
      .map(({ newest: { cost, error, ...rule } }) => ({ ...rule, estimate: error === undefined ? cost : undefined })),
    totals: Object.entries(figures.totals).map(([version, cost]) => ({ version, cost })),
  };
}

/** Returns the larger share of its limit in the newest state: of the most expensive rule, or of all rules together. Returns -1 if the definition is gone. */
export function newestShare({ states }: DefinitionHistory): number {
  const figures = states.at(-1)?.figures;
  return figures === undefined ? -1 : Math.max(figures.costliestRule ?? 0, figures.total?.share ?? 0);
}

/** Returns true if a rule was added, removed, or became dearer or cheaper. */
export const hasMoved = ({ costs, first, end }: RuleHistory): boolean => costs.length > 1 || first > 0 || end !== undefined;

/** Returns how far the share of a rule moved between its lowest and its highest value. A new rule moves from 0. */
function movementOf({ costs, first }: RuleHistory): number {
  const shares = costs.map(({ share }) => share);
  return Math.max(...shares) - (first > 0 ? 0 : Math.min(...shares));
}
