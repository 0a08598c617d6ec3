import { LATEST_MINOR } from '#kube';
import { admit, buildRequest, compilePolicies, readRequest, readWorld } from '#policy';
import type { AdmissionVerdict } from '#policy';
import { NODE_ENGINE } from '#runner/linker';
import { countedText, countText, timesText, timeText } from '#charts';
import { PolicyOracle, POLICY_ORACLE } from '../engines/policy-oracle.ts';
import type { Lab } from '../lab.ts';
import { measured, quotient } from '../measure/quotient.ts';
import { allGate, casesOf, growthChart, numberOf, sameCostGate, studyOf, timeOf } from '../study/study-report.ts';
import type { GrowthChart } from '../study/study-report.ts';
import { measureLines } from '../study/study.ts';
import type { CaseFigures, Line, Told, Work } from '../study/study.ts';
import { parsed } from '../workloads/judging.ts';
import { podCase, podOf, policiesOver, policyOverImages } from '../workloads/pod-policies.ts';
import type { PodCase } from '../workloads/pod-policies.ts';

const ORACLE_ROUNDS = { quick: 3, full: 9 } as const;
/** Cases that the program in Go is asked in one go: they share the time of speaking to it. */
const ORACLE_CASES = { quick: 5, full: 20 } as const;
/** Containers of the pod, and policies over it, where something else is counted. */
const [SOME_CONTAINERS, SOME_POLICIES] = [10, 4] as const;
const VALIDATIONS = { quick: [1, 10], full: [1, 3, 10, 30, 100] } as const;

/** Returns the lines: policies, containers, and validations that share a variable or each say anew what it would hold. */
function linesWith(oracle?: PolicyOracle): readonly Line[] {
  const line = (
    name: string,
    sizes: Line['sizes'],
    policies: (count: number) => readonly object[],
    podFor: (count: number) => number = () => SOME_CONTAINERS,
  ): Line => ({
    name,
    sizes,
    expected: () => ({ verdict: 'allowed' }),
    work: (count, lab) => askingWork(podCase(name, policies(count), podOf(podFor(count))), lab, oracle),
  });
  return [
    // The program in Go keeps 160 compiled policies: it compiles more anew for each request.
    line('policies', { quick: [4, 20, 100], full: [4, 12, 20, 40, 100] }, policiesOver),
    line(
      'containers',
      { quick: [1, 10, 100], full: [1, 3, 10, 30, 100, 300, 1000] },
      () => policiesOver(SOME_POLICIES),
      (count) => count,
    ),
    line('shared by a variable', VALIDATIONS, (count) => [policyOverImages(count, true)]),
    line('said anew', VALIDATIONS, (count) => [policyOverImages(count, false)]),
  ];
}

/** Measures what policies cost each write. */
export const policies = studyOf({
  name: 'policies',
  question: 'What do admission policies add to each write?',
  lines: linesWith(),
  async measure(lab) {
    const oracle = PolicyOracle.start();
    try {
      return await measureLines(lab, linesWith(oracle));
    } finally {
      oracle?.close();
    }
  },
  conclude,
});

/** Returns the work of asking all policies about a request. */
function askingWork(testCase: PodCase, lab: Lab, oracle: PolicyOracle | undefined): Work {
  const document = parsed(testCase);
  const settings = { minor: LATEST_MINOR, engine: NODE_ENGINE };
  const compiled = compilePolicies(testCase.policies.map(parsed), testCase.bindings.map(parsed), settings);
  if (!compiled.ok) throw new Error(compiled.error);
  const world = readWorld({ definitions: [], params: [], namespaces: [], authorizer: [] }, LATEST_MINOR);
  const judge = (): AdmissionVerdict => {
    const built = buildRequest(readRequest(document), world.kinds, LATEST_MINOR);
    if (!built.ok) throw new Error(built.error);
    return admit(compiled.set, built.request, world.in(built.request.namespace));
  };
  return {
    runs: { assay: judge },
    after: async () => {
      const verdict = judge();
      const go = oracle && (await askOracle(testCase, lab, oracle));
      const verdictText = verdict.refusal === undefined ? 'allowed' : 'refused';
      return { times: go?.times ?? {}, facts: { cost: costIn(JSON.stringify(verdict.policies)), verdict: verdictText, ...go?.facts } };
    },
  };
}

/** Returns what the plugin in Go answers, spoken to by lines; it compiles in the first batch, which does not count. */
async function askOracle(testCase: PodCase, lab: Lab, oracle: PolicyOracle): Promise<Told | undefined> {
  const go: number[] = [];
  const first = await oracle.ask(testCase, 1);
  if (first === undefined) return undefined;
  for (let round = 0; round < lab.of(ORACLE_ROUNDS) && !lab.over; round++) {
    const answers = await oracle.ask(testCase, lab.of(ORACLE_CASES));
    if (answers === undefined) break;
    go.push(answers.msPerCase);
  }
  return { times: { go }, facts: { goCost: costIn(first.lines[0] ?? '{}') } };
}

/** Returns the cost of all evaluations of a verdict; the plugin in Go leaves empty lists out. */
function costIn(verdict: string): number {
  let cost = 0;
  JSON.parse(verdict, (key, value: unknown) => {
    if (key === 'evaluations') for (const evaluation of value as readonly { readonly cost: number }[]) cost += evaluation.cost;
    return value;
  });
  return cost;
}

function conclude(cases: readonly CaseFigures[]) {
  const [byPolicies, byContainers, shared, anew] = ['policies', 'containers', 'shared by a variable', 'said anew'].map((name) =>
    casesOf(cases, name),
  ) as [CaseFigures[], CaseFigures[], CaseFigures[], CaseFigures[]];
  const [many, large] = [byPolicies, byContainers].map((own) => measured(own, (one) => timeOf(one, 'assay')).at(-1));
  const besideGo = many && quotient(timeOf(many.item, 'go'), many.value);
  const saved = shared
    .filter(({ size }) => size >= 3)
    .flatMap(
      (one) =>
        quotient(numberOf(one, 'cost'), anew.filter(({ size }) => size === one.size).map((other) => numberOf(other, 'cost'))[0]) ?? [],
    );
  const besidePlugin = cases.flatMap((one) => quotient(numberOf(one, 'cost'), numberOf(one, 'goCost')) ?? []);
  return {
    finding: [
      many && `${countText(many.item.size)} policies add ${timeText(many.value)} to a write`,
      besideGo === undefined ? undefined : `the plugin in Go takes ${timesText(besideGo)} that`,
      large &&
        `${countText(SOME_POLICIES)} policies over a pod of ${countedText(large.item.size, 'container')} add ${timeText(large.value)}`,
    ],
    charts: [
      timeChart(byPolicies, {
        id: 'policies',
        subtitle: 'One validation each, of four common kinds in turn, over a pod of ten containers; median of the rounds.',
        x: { label: 'policies in force', unit: 'count' },
      }),
      timeChart(byContainers, {
        id: 'containers',
        subtitle: 'Four policies, three of which look at every container; median of the rounds.',
        x: { label: 'containers of the pod', unit: 'count' },
      }),
      growthChart({
        id: 'sharing',
        title: 'What a variable saves that several validations use',
        subtitle: 'A list of ten images, filtered and mapped: once in a variable, or anew in each validation.',
        x: { label: 'validations of the policy', unit: 'count' },
        y: { label: 'cost of the write', unit: 'count' },
        lines: [
          { name: 'shared by a variable', role: 'assay', cases: shared, what: 'cost' },
          { name: 'said anew', role: 'reference', cases: anew, what: 'cost' },
        ],
        reading: 'A variable is charged once for each list of expressions that uses it: validations, messages and audit annotations.',
        notShown: 'time, which follows the cost.',
      }),
    ],
    gates: [
      sameCostGate('cost of four policies is the same at any number', byPolicies),
      allGate('costs are those of the plugin in Go', 'cost units', besidePlugin, (ratio) => ratio === 1),
      allGate('a shared variable costs less', 'cost units', saved, (ratio) => ratio < 1),
    ],
    notes: [
      `The plugin in Go is asked where ${POLICY_ORACLE} names a program that speaks the protocol of policies. It reads each case anew, policies and all, which is part of its time; here the case is read before.`,
    ],
  };
}

const timeChart = (cases: readonly CaseFigures[], chart: Pick<GrowthChart, 'id' | 'subtitle' | 'x'>) =>
  growthChart({
    ...chart,
    title: ['Time per write', `the ${chart.id}`],
    lines: [
      { name: 'Assay', role: 'assay', cases, what: 'assay' },
      { name: 'the plugin in Go', role: 'peer', cases, what: 'go' },
    ],
    reading: 'Matching, all expressions with their exact costs, and what follows from them; policies are compiled before.',
    notShown: 'compiling, which a server does once for each change of a policy, and mutating policies.',
  });
