import { LATEST_MINOR } from '#kube';
import { countedText, countText, timeText } from '#numbers';
import { admit, buildRequest, compilePolicies, readAdmissionRequest, readWorld } from '#policy';
import type { AdmissionVerdict } from '#policy';
import { NODE_ENGINE } from '#runner/linker';
import { measured, quotient } from '../measure/quotient.ts';
import { allGate, casesOf, growthChart, numberOf, sameCostGate, studyOf, timeOf } from '../study/study-report.ts';
import type { GrowthChart } from '../study/study-report.ts';
import type { CaseFigures, Line, Work } from '../study/study.ts';
import { parsed } from '../workloads/judging.ts';
import { podCase, podOf, policiesOver, policyOverImages } from '../workloads/pod-policies.ts';
import type { PodCase } from '../workloads/pod-policies.ts';

/**
 * Fixed numbers of containers in the pod (`SOME_CONTAINERS`) and of policies (`SOME_POLICIES`). They apply to lines of figures in which a
 * different quantity varies.
 */
const [SOME_CONTAINERS, SOME_POLICIES] = [10, 4] as const;
const VALIDATIONS = { quick: [1, 10], full: [1, 3, 10, 30, 100] } as const;

const line = (
  name: string,
  sizes: Line['sizes'],
  policies: (count: number) => readonly object[],
  podFor: (count: number) => number = () => SOME_CONTAINERS,
): Line => ({
  name,
  sizes,
  expected: () => ({ verdict: 'allowed' }),
  work: (count) => askingWork(podCase(name, policies(count), podOf(podFor(count)))),
});

/**
 * Lines of figures with a rising number of policies, of containers, or of validations. Validations either share a variable, or each of them
 * repeats the variable's expression.
 */
const LINES: readonly Line[] = [
  line('policies', { quick: [4, 20, 100], full: [4, 12, 20, 40, 100] }, policiesOver),
  line(
    'containers',
    { quick: [1, 10, 100], full: [1, 3, 10, 30, 100, 300, 1000] },
    () => policiesOver(SOME_POLICIES),
    (count) => count,
  ),
  line('shared by a variable', VALIDATIONS, (count) => [policyOverImages(count, 'shared')]),
  line('said anew', VALIDATIONS, (count) => [policyOverImages(count, 'repeated')]),
];

/** Experiment about the cost that admission policies add to each write. */
export const policies = studyOf({
  name: 'policies',
  question: 'How much time do admission policies add to each write?',
  lines: LINES,
  conclude,
});

/** Returns the work of evaluating all policies for a request. */
function askingWork(testCase: PodCase): Work {
  const document = parsed(testCase);
  const settings = { minor: LATEST_MINOR, engine: NODE_ENGINE };
  const compiled = compilePolicies(testCase.policies.map(parsed), testCase.bindings.map(parsed), settings);
  if (!compiled.ok) throw new Error(compiled.error);
  const world = readWorld({ definitions: [], params: [], namespaces: [], authorizer: [] }, LATEST_MINOR);
  const judge = (): AdmissionVerdict => {
    const built = buildRequest(readAdmissionRequest(document), world.kinds, LATEST_MINOR);
    if (!built.ok) throw new Error(built.error);
    return admit(compiled.set, built.request, world.in(built.request.namespace));
  };
  return {
    runs: { assay: judge },
    after: () => {
      const { refusal, policies: evaluated } = judge();
      return { facts: { cost: costOf(evaluated), verdict: refusal === undefined ? 'allowed' : 'refused' } };
    },
  };
}

/** Returns the cost of all evaluations of policies. */
function costOf(evaluated: AdmissionVerdict['policies']): number {
  let cost = 0;
  JSON.parse(JSON.stringify(evaluated), (key, value: unknown) => {
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
  const saved = shared
    .filter(({ size }) => size >= 3)
    .flatMap(
      (one) =>
        quotient(numberOf(one, 'cost'), anew.filter(({ size }) => size === one.size).map((other) => numberOf(other, 'cost'))[0]) ?? [],
    );
  return {
    finding: [
      many && `${countText(many.item.size)} policies add ${timeText(many.value)} to a write`,
      large &&
        `${countText(SOME_POLICIES)} policies over a pod of ${countedText(large.item.size, 'container')} add ${timeText(large.value)}`,
    ],
    charts: [
      timeChart(byPolicies, {
        id: 'policies',
        subtitle:
          'Time to judge a write of a pod with ten containers under n policies. Each policy has one validation, of four common kinds in turn; median of the rounds.',
        x: { label: 'policies in force', unit: 'count' },
      }),
      timeChart(byContainers, {
        id: 'containers',
        subtitle:
          'Time to judge a write of a pod with n containers under four policies. Three of the policies check every container; median of the rounds.',
        x: { label: 'containers of the pod', unit: 'count' },
      }),
      growthChart({
        id: 'sharing',
        title: 'Cost that a shared variable saves',
        subtitle:
          'Cost of a write under a policy with n validations. All validations use a filtered and mapped list of ten images. Either a variable computes this list once, or each validation computes the list again.',
        x: { label: 'validations of the policy', unit: 'count' },
        y: { label: 'cost of the write', unit: 'count' },
        lines: [
          { name: 'shared by a variable', role: 'assay', cases: shared, what: 'cost' },
          { name: 'said anew', role: 'reference', cases: anew, what: 'cost' },
        ],
        reading:
          'The expressions of a policy form three groups: validations, messages and audit annotations. In each group that uses a variable, a server charges the cost of the variable once.',
        notShown: 'time.',
      }),
    ],
    gates: [
      sameCostGate('cost of four policies is the same at any number', byPolicies),
      allGate('a shared variable costs less', 'cost units', saved, (ratio) => ratio < 1),
    ],
  };
}

const timeChart = (cases: readonly CaseFigures[], chart: Pick<GrowthChart, 'id' | 'subtitle' | 'x'>) =>
  growthChart({
    ...chart,
    title: ['Time of a write', `the number of ${chart.id}`],
    lines: [{ name: 'Assay', role: 'assay', cases, what: 'assay' }],
    reading:
      'The time includes the selection of the policies that match the write, the evaluation of all expressions with their exact costs, and the verdict. The policies were compiled before the measurement.',
    notShown: 'the compilation, which a server does once for each change of a policy, and mutating policies.',
  });
