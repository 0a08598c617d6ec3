import { LATEST_MINOR } from '#kube';
import { admit, buildRequest, compilePolicies, readRequest, readWorld } from '#policy';
import type { AdmissionVerdict } from '#policy';
import { NODE_ENGINE } from '#runner/linker';
import { countedText, countText, growthText, plotted, timesText, timeText } from '#charts';
import type { Chart } from '#charts';
import { PolicyOracle, POLICY_ORACLE } from '../engines/policy-oracle.ts';
import type { Lab, Choice } from '../lab.ts';
import { growthOf } from '../measure/growth.ts';
import { median } from '#benchmark';
import { measured, quotient } from '../measure/quotient.ts';
import { warmUp } from '../measure/warm-up.ts';
import { equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import type { Gate } from '../result/summary.ts';
import { parsed, timed } from '../workloads/judging.ts';
import { podCase, podOf, policiesOver, policyOverImages } from '../workloads/pod-policies.ts';
import type { PodCase } from '../workloads/pod-policies.ts';
import type { Experiment, Findings } from './experiment.ts';

/** The program in Go keeps 160 compiled policies: more are compiled anew for each request. */
const COUNTS: Choice<readonly number[]> = { quick: [4, 20, 100], full: [4, 12, 20, 40, 100] };
const CONTAINERS: Choice<readonly number[]> = { quick: [1, 10, 100], full: [1, 3, 10, 30, 100, 300, 1000] };
const VALIDATIONS: Choice<readonly number[]> = { quick: [1, 10], full: [1, 3, 10, 30, 100] };
const ROUNDS = { quick: 9, full: 51 } as const;
const ORACLE_ROUNDS = { quick: 3, full: 9 } as const;
/** Cases that the program in Go is asked in one go: what it takes to be spoken to is shared by them. */
const ORACLE_CASES = { quick: 5, full: 20 } as const;
/** Containers of the pod, and policies over it, where something else is counted. */
const SOME_CONTAINERS = 10;
const SOME_POLICIES = 4;
const WARM_UP_MS = { quick: 150, full: 1500 } as const;

/** What policies cost each write. */
export const policies: Experiment<PoliciesData> = {
  name: 'policies',
  question: 'What do admission policies add to each write?',
  async measure(lab) {
    const oracle = PolicyOracle.start();
    const figures = async (name: string, counts: readonly number[], make: (count: number) => PodCase): Promise<PolicyFigures[]> => {
      const found: PolicyFigures[] = [];
      for await (const count of lab.each(counts)) {
        lab.say(`${name}: ${count}`);
        found.push(await measureCase(lab, count, make(count), oracle));
      }
      return found;
    };
    try {
      const overImages = (count: number, shared: boolean): PodCase =>
        podCase('images', [policyOverImages(count, shared)], podOf(SOME_CONTAINERS));
      return {
        byPolicies: await figures('policies', lab.of(COUNTS), (count) => podCase('p', policiesOver(count), podOf(SOME_CONTAINERS))),
        byContainers: await figures('containers', lab.of(CONTAINERS), (count) => podCase('c', policiesOver(SOME_POLICIES), podOf(count))),
        shared: await figures('validations, shared', lab.of(VALIDATIONS), (count) => overImages(count, true)),
        repeated: await figures('validations, repeated', lab.of(VALIDATIONS), (count) => overImages(count, false)),
      };
    } finally {
      oracle?.close();
    }
  },
  findings,
};

/** What was measured. */
export interface PoliciesData {
  /** By policies, over a pod of ten containers. */
  readonly byPolicies: readonly PolicyFigures[];
  /** By containers, under four policies. */
  readonly byContainers: readonly PolicyFigures[];
  /** By validations that share a variable, and by validations that each say anew what it would hold. */
  readonly shared: readonly PolicyFigures[];
  readonly repeated: readonly PolicyFigures[];
}

/** What was measured of one case. */
export interface PolicyFigures {
  readonly count: number;
  /** ms of one request, a figure a round. */
  readonly ours: readonly number[];
  /** The same of the plugin in Go, spoken to by lines; empty where it is not at hand. */
  readonly go: readonly number[];
  /** Cost units of all expressions of the request, here and there. */
  readonly cost: number | undefined;
  readonly goCost: number | undefined;
  readonly allowed: boolean | undefined;
}

async function measureCase(lab: Lab, count: number, testCase: PodCase, oracle: PolicyOracle | undefined): Promise<PolicyFigures> {
  const document = parsed(testCase);
  const compiled = compilePolicies(testCase.policies.map(parsed), testCase.bindings.map(parsed), {
    minor: LATEST_MINOR,
    engine: NODE_ENGINE,
  });
  if (!compiled.ok) throw new Error(compiled.error);
  const world = readWorld({ definitions: [], params: [], namespaces: [], authorizer: [] }, LATEST_MINOR);
  const judge = (): AdmissionVerdict => {
    const built = buildRequest(readRequest(document), world.kinds, LATEST_MINOR);
    if (!built.ok) throw new Error(built.error);
    return admit(compiled.set, built.request, world.in(built.request.namespace));
  };
  warmUp(() => void judge(), lab.of(WARM_UP_MS));
  const runs = Array.from({ length: lab.of(ROUNDS) }, () => timed(judge));
  const last = runs.at(-1)?.value;
  const go = oracle && (await measureOracle(lab, testCase, oracle));
  return {
    count,
    ours: runs.map(({ ms }) => ms),
    go: go?.samples ?? [],
    cost: last && costOf(last),
    goCost: go?.cost,
    allowed: last && last.refusal === undefined,
  };
}

const costOf = ({ policies: outcomes }: AdmissionVerdict): number =>
  outcomes
    .flatMap(({ bindings }) => bindings.flatMap(({ runs }) => runs.flatMap(({ evaluations }) => evaluations)))
    .reduce((sum, { cost }) => sum + cost, 0);

/** What the plugin in Go answers; the first batch, in which it compiles, is not counted. */
async function measureOracle(
  lab: Lab,
  testCase: PodCase,
  oracle: PolicyOracle,
): Promise<{ readonly samples: readonly number[]; readonly cost: number | undefined } | undefined> {
  const samples: number[] = [];
  const first = await oracle.ask(testCase, 1);
  if (first === undefined) return undefined;
  for (let round = 0; round < lab.of(ORACLE_ROUNDS) && !lab.over; round++) {
    const answers = await oracle.ask(testCase, lab.of(ORACLE_CASES));
    if (answers === undefined) break;
    samples.push(answers.msPerCase);
  }
  return { samples, cost: oracleCost(first.lines[0] ?? '{}') };
}

/** The cost of all expressions in an answer. */
function oracleCost(line: string): number | undefined {
  const { policies: outcomes } = JSON.parse(line) as {
    policies?: { bindings?: { runs?: { evaluations?: { cost: number }[] }[] }[] }[];
  };
  const evaluations = outcomes?.flatMap(({ bindings = [] }) =>
    bindings.flatMap(({ runs = [] }) => runs.flatMap((run) => run.evaluations ?? [])),
  );
  return evaluations?.reduce((sum, { cost }) => sum + cost, 0);
}

const SERIES = ['byPolicies', 'byContainers', 'shared', 'repeated'] as const;
const COUNTED = {
  byPolicies: 'policies',
  byContainers: 'containers',
  shared: 'validations, shared',
  repeated: 'validations, repeated',
} as const;

function findings(data: PoliciesData): Findings {
  const ours = (figures: readonly PolicyFigures[]) => measured(figures, (one) => median(one.ours));
  const many = ours(data.byPolicies).at(-1);
  const large = ours(data.byContainers).at(-1);
  const beside = many && quotient(median(many.item.go), many.value);
  return {
    finding: sentence([
      many && `${countText(many.item.count)} policies add ${timeText(many.value)} to a write`,
      beside === undefined ? undefined : `the plugin in Go takes ${timesText(beside)} that`,
      large &&
        `${countText(SOME_POLICIES)} policies over a pod of ${countedText(large.item.count, 'container')} add ${timeText(large.value)}`,
    ]),
    charts: [
      growthChart('policies', 'Time per write, by policies', data.byPolicies),
      growthChart('containers', 'Time per write, by containers of the pod', data.byContainers),
      sharingChart(data),
    ],
    gates: [costGate(data), sameCostGate(data), sharingGate(data), allowedGate(data)],
    cells: SERIES.flatMap((series) =>
      data[series].flatMap(({ count, ours: assay, go }) =>
        Object.entries({ assay, go }).flatMap(([what, samples]) =>
          medianCell({ id: `${count} ${COUNTED[series]}/${what}`, unit: 'ms', samples }),
        ),
      ),
    ),
    notes: [
      `The plugin in Go is asked where ${POLICY_ORACLE} names a program that speaks the protocol of policies. It reads each case anew, policies and all, which is part of its time; here the case is read before.`,
    ],
  };
}

function growthChart(id: 'policies' | 'containers', title: string, figures: readonly PolicyFigures[]): Chart {
  const points = (of: (one: PolicyFigures) => readonly number[]) => plotted(figures.map((one) => ({ x: one.count, y: median(of(one)) })));
  const ours = points((one) => one.ours);
  const growth = growthOf(ours);
  return {
    kind: 'scaling',
    id,
    title: growth === undefined ? title : `Time per write grows with ${growthText(growth.exponent)} of the ${id}`,
    subtitle:
      id === 'policies'
        ? 'One validation each, of four common kinds in turn, over a pod of ten containers; median of the rounds.'
        : 'Four policies, three of which look at every container; median of the rounds.',
    x: { label: id === 'policies' ? 'policies in force' : 'containers of the pod', unit: 'count' },
    y: { label: 'time', unit: 'ms' },
    series: [
      { name: 'Assay', role: 'assay', points: ours },
      { name: 'the plugin in Go', role: 'peer', points: points((one) => one.go) },
    ],
    reading: 'Matching, all expressions with their exact costs, and what follows from them; policies are compiled before.',
    notShown: 'compiling, which a server does once for each change of a policy, and mutating policies.',
  };
}

function sharingChart({ shared, repeated }: PoliciesData): Chart {
  const costs = (figures: readonly PolicyFigures[]) => plotted(figures.map(({ count, cost }) => ({ x: count, y: cost })));
  return {
    kind: 'scaling',
    id: 'sharing',
    title: 'What a variable saves that several validations use',
    subtitle: 'A list of ten images, filtered and mapped: once in a variable, or anew in each validation.',
    x: { label: 'validations of the policy', unit: 'count' },
    y: { label: 'cost of the write', unit: 'count' },
    series: [
      { name: 'shared by a variable', role: 'assay', points: costs(shared) },
      { name: 'said anew', role: 'reference', points: costs(repeated) },
    ],
    reading: 'A variable is charged once for each list of expressions that uses it: validations, messages and audit annotations.',
    notShown: 'time, which follows the cost.',
  };
}

/** Each four policies, one of each kind, cost the same however many there are. */
function costGate({ byPolicies }: PoliciesData): Gate {
  const costs = byPolicies.flatMap(({ count, cost }) => (cost === undefined ? [] : [cost / count]));
  const same = costs.length < 2 ? undefined : String(new Set(costs).size === 1 && costs.every((cost) => cost > 0));
  return equalGate('cost of four policies is the same at any number', 'cost units', 'true', same);
}

function sameCostGate(data: PoliciesData): Gate {
  const pairs = SERIES.flatMap((series) => data[series]).flatMap(({ cost, goCost }) =>
    cost === undefined || goCost === undefined ? [] : [cost === goCost],
  );
  return equalGate(
    'costs are those of the plugin in Go',
    'cost units',
    'true',
    pairs.length === 0 ? undefined : String(pairs.every(Boolean)),
  );
}

function sharingGate({ shared, repeated }: PoliciesData): Gate {
  const pairs = shared.flatMap(({ count, cost }) => {
    const other = repeated.find((one) => one.count === count)?.cost;
    return count < 3 || cost === undefined || other === undefined ? [] : [cost < other];
  });
  return equalGate('a shared variable costs less', 'cost units', 'true', pairs.length === 0 ? undefined : String(pairs.every(Boolean)));
}

function allowedGate(data: PoliciesData): Gate {
  const verdicts = SERIES.flatMap((series) => data[series]).flatMap(({ allowed }) => (allowed === undefined ? [] : [allowed]));
  return equalGate('all writes are allowed', 'verdicts', 'true', verdicts.length === 0 ? undefined : String(verdicts.every(Boolean)));
}
