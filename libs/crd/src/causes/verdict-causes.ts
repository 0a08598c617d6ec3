import { DIFFERENCES } from '#cel';
import type { DifferenceName } from '#cel';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor, Server } from '#kube';
import { prepareForCreate, withoutDisabledFields } from '../definition/admission/prepare.ts';
import { readLeniently } from '../definition/admission/read-definition.ts';
import type { DefinitionContext } from '../schema/decode-definition.ts';
import { compileCauses } from './compile-causes.ts';
import type { DatedName } from './compile-causes.ts';
import { costCauses } from './cost-causes.ts';
import type { CostCauses } from './cost-causes.ts';

/** Difference between two minor versions that causes their different verdicts. */
export interface VerdictCause {
  /** Name of the entry in a ledger, or the names of functions that only one of them offers, with spaces. */
  readonly name: string;
  /** Sentence for users. It ends without a full stop and may contain Markdown code marks. */
  readonly sentence: string;
  /** Upstream change, such as `cel-go#1350`; undefined for functions. */
  readonly upstream: string | undefined;
}

/** Rule or messageExpression because of which two minor versions have different verdicts. */
export interface ConcernedRule {
  readonly version: string;
  readonly path: string;
  readonly text: string;
  readonly isMessage: boolean;
  /** Costs in cost units before and after; undefined if only one minor version compiles the rule. */
  readonly costs: Readonly<Record<'from' | 'to', bigint>> | undefined;
}

/** Why two minor versions have different verdicts on a definition. */
export interface VerdictCauses {
  /** Causes that together explain the difference. Empty if there are more than three, or if no cause is known. */
  readonly causes: readonly VerdictCause[];
  /** True if costs are the reason, but more than three differences are necessary to explain it. */
  readonly hasSeveral: boolean;
  /** Rules that the causes concern, the largest change of the cost first. */
  readonly rules: readonly ConcernedRule[];
  /** Sum of the costs of each version of the definition; empty if no sum exceeds its limit. */
  readonly sums: CostCauses['sums'];
}

/**
 * Explains why servers of the minor version `from` and `server` have different verdicts on the creation of a definition. Experiments explain
 * costs, see {@link costCauses}. The dates of declarations explain rules that only one minor version compiles.
 */
export function verdictCauses(document: Uint8Array | string, from: Minor, server: Server, options: DefinitionContext = {}): VerdictCauses {
  const to = server.minor;
  const read = readLeniently(document, options);
  if (read === undefined) return UNKNOWN;
  const definition = prepareForCreate(withoutDisabledFields(read, undefined, server.gates));
  const uncompiled = compileCauses(definition, from, to);
  if (uncompiled.length > 0) {
    const names = new Map(uncompiled.flatMap(({ names: some }) => some.map((one) => [one.name, one] as const)));
    const rules = uncompiled.map(({ version, path, text }) => ({ version, path, text, isMessage: false, costs: undefined }));
    return { causes: causesOfNames([...names.values()]), hasSeveral: false, rules, sums: new Map() };
  }
  const costs = costCauses(definition, from, to);
  if (costs === undefined) return UNKNOWN;
  return {
    causes: costs.causes.map(causeOfChange),
    hasSeveral: costs.causes.length === 0,
    rules: concernedRules(costs),
    sums: new Map([...costs.sums].filter(([, { from: before, to: after }]) => exceedsSum(before) || exceedsSum(after))),
  };
}

/** Result if no cause is known. */
const UNKNOWN: VerdictCauses = { causes: [], hasSeveral: false, rules: [], sums: new Map() };

function causeOfChange(name: DifferenceName): VerdictCause {
  const { seen, what } = DIFFERENCES[name];
  return { name, sentence: seen?.sentence ?? what, upstream: seen?.upstream };
}

/** Returns the causes for names. Functions that new rules may use from the same minor version on are one cause. */
function causesOfNames(names: readonly DatedName[]): VerdictCause[] {
  const changes = new Set(names.flatMap(({ change }) => change ?? []));
  const functions = Map.groupBy(
    names.filter(({ change }) => change === undefined),
    ({ first }) => first,
  );
  return [
    ...[...changes].map(causeOfChange),
    ...[...functions].map(([first, some]) => {
      const list = some.map(({ name }) => `\`${name}\``).join(', ');
      const sentence = first === undefined ? `New rules may no longer use ${list}` : `Since ${first}, new rules may use ${list}`;
      return { name: some.map(({ name }) => name).join(' '), sentence, upstream: undefined };
    }),
  ];
}

/** Returns the expressions over the limit of an expression if there are any, and else those of versions whose sum exceeds its limit. */
function concernedRules({ changed, sums }: CostCauses): ConcernedRule[] {
  const exceeding = changed.filter(({ from, to }) => from > EXPRESSION_COST_LIMIT || to > EXPRESSION_COST_LIMIT);
  const contributing = changed.filter(({ expression }) => {
    const { from = 0n, to = 0n } = sums.get(expression.version) ?? {};
    return exceedsSum(from) || exceedsSum(to);
  });
  const concerned = exceeding.length > 0 ? exceeding : contributing;
  return concerned.map(({ expression: { version, path, text, isMessage }, from, to }) => ({
    version,
    path,
    text,
    isMessage,
    costs: { from, to },
  }));
}

const exceedsSum = (sum: bigint): boolean => sum > SCHEMA_COST_LIMIT;
