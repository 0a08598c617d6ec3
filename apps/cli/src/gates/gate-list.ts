import { EFFECTS } from '#documents';
import type { Effect } from '#documents';

/** Commands with the option `--fail-on`. */
export const GATE_COMMANDS = ['evaluate', 'what-if', 'diff', 'bench'] as const;

/** Command with the option `--fail-on`. */
export type GateCommand = (typeof GATE_COMMANDS)[number];

/** Gate (condition that ends a command with status 1) that is a word, or a comparison of a figure with a bound. */
export type GateDeclaration = {
  readonly name: string;
  /** Condition under which the gate fails, for the reference page. A sentence without a full stop. */
  readonly fails: string;
} & (
  | {
      readonly form: 'word';
      /** True if the gate also fails by each ranked gate before it in the list of its command, because these are worse. */
      readonly isRanked?: boolean;
    }
  | {
      readonly form: '>' | '<';
      /** Unit of the bound: a plain number, per cent, or a minor version of Kubernetes. */
      readonly unit: 'number' | 'percent' | 'minor';
      /** Example of a bound, in the notation of the command line. */
      readonly example: string;
    }
);

const EVALUATE = [
  { name: 'rejected', form: 'word', isRanked: true, fails: 'the server refuses an object, a definition or a policy' },
  {
    name: 'not-evaluated',
    form: 'word',
    isRanked: true,
    fails: 'an object could not be judged, or there is nothing to judge',
  },
  { name: 'warning', form: 'word', isRanked: true, fails: 'the server warns, or an expression of a policy names an undefined field' },
] as const satisfies readonly GateDeclaration[];

const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  unaffected: 'an object is not affected',
  brokenOnUpdate: 'the server refuses every write of a stored object',
  breaksOnNextChange: 'the server refuses a change of a stored object',
  savedByRatcheting: 'the server would refuse a new object with the content of a stored one',
  storedDifferently: 'the server stores an object with another content than before',
  mended: 'the server refused an object, and accepts it now',
  invalidBefore: 'the server already refused an object, for the same reasons',
  notJudged: 'an object could not be judged',
};

/** Gates of a change on what a server decides with: its verdict and its estimates. `diff` and `bench --base` have them. */
const CHANGE = [
  {
    name: 'estimate-worse',
    form: '>',
    unit: 'percent',
    example: '100%',
    fails: 'the estimate of a rule, of its `messageExpression`, or the total of a version rose by more than P per cent',
  },
  {
    name: 'limit-share',
    form: '>',
    unit: 'percent',
    example: '25%',
    fails:
      'a rule or its `messageExpression` takes more than P per cent of the limit of 10,000,000. Or all rules of a version take more than P per cent of the limit of 100,000,000. A share that did not rise since the older revision does not fail',
  },
  {
    name: 'new-rule-share',
    form: '>',
    unit: 'percent',
    example: '10%',
    fails: 'a rule without a partner in the older revision takes more than P per cent of the limit of 10,000,000',
  },
  {
    name: 'oldest-minor',
    form: '>',
    unit: 'minor',
    example: '1.33',
    fails: 'the server of the named version refuses the definition, so the oldest version that takes it is newer',
  },
] as const satisfies readonly GateDeclaration[];

const DIFF = [
  {
    name: 'refused',
    form: 'word',
    isRanked: true,
    fails:
      'the server refuses the new definition, or a version of Kubernetes refuses it that accepts the old one. Previews count only if they are chosen, and `oldest-minor>1.33` leaves out the versions before 1.33',
  },
  {
    name: 'objects',
    form: 'word',
    isRanked: true,
    fails: 'the change breaks an object of the older revision, or removes the definition of one',
  },
  { name: 'breaking', form: 'word', isRanked: true, fails: 'the change may break clients: it is marked as breaking' },
  ...CHANGE,
  {
    name: 'undecided',
    form: 'word',
    fails: 'Assay could not estimate a definition, or a rule that another gate needs has no estimate on any version that the gates compare',
  },
] as const satisfies readonly GateDeclaration[];

const BENCH = [
  {
    name: 'refused',
    form: 'word',
    fails:
      'a version of Kubernetes refuses a definition, and accepts its older revision. If the server of the study refuses a definition, the status is 1 without any gate',
  },
  {
    name: 'cost-exponent',
    form: '>',
    unit: 'number',
    example: '1',
    fails:
      'the cost of a rule grows faster than the size to the power of N. If the sizes of two fields multiply, their product counts as the power 2',
  },
  {
    name: 'budget',
    form: '<',
    unit: 'number',
    example: '10000',
    fails:
      'the number in `REFUSED FROM SIZE` is below N, and not in parentheses: Assay found a write with fewer than N elements or characters that the schema accepts and a server refuses for its cost',
  },
  { name: 'cost', form: '>', unit: 'number', example: '500000', fails: 'the most expensive write found costs more than N cost units' },
  { name: 'estimate-ratio', form: '<', unit: 'number', example: '1', fails: 'the ratio in the column `ESTIMATE ÷ FOUND` is below N' },
  {
    name: 'cost-worse',
    form: '>',
    unit: 'percent',
    example: '10%',
    fails: 'the highest cost found rose by more than P per cent since the older revision',
  },
  {
    name: 'time-exponent',
    form: '>',
    unit: 'number',
    example: '1',
    fails: 'the time certainly grows faster than the size to the power of N: the whole confidence interval of the exponent is above N',
  },
  {
    name: 'time-worse',
    form: '>',
    unit: 'percent',
    example: '20%',
    fails: 'the time certainly rose by more than P per cent since the older revision: the whole confidence interval is above P',
  },
  ...CHANGE,
  {
    name: 'undecided',
    form: 'word',
    fails:
      'the time did not suffice to study a rule that another gate needs, or to compare the rule. Also: `time-worse` is given, and the times do not decide it. Without another gate, each rule is needed',
  },
] as const satisfies readonly GateDeclaration[];

/** Gates of each command, in the order in which they are listed. Ranked words begin with the worst. */
export const GATES = {
  evaluate: EVALUATE,
  'what-if': EFFECTS.map((name) => ({ name, form: 'word', fails: EFFECT_WORDS[name] }) as const),
  diff: DIFF,
  bench: BENCH,
} as const satisfies Readonly<Record<GateCommand, readonly GateDeclaration[]>>;

/** Name of a gate of a command. */
export type GateName<Command extends GateCommand = GateCommand> = (typeof GATES)[Command][number]['name'];

/** Name of a ranked word of a command. */
export type RankedWord<Command extends GateCommand = GateCommand> = Extract<
  (typeof GATES)[Command][number],
  { readonly isRanked: true }
>['name'];

/** Kind of finding for which the user can request exit status 1 of an evaluation. */
export type FailureKind = GateName<'evaluate'>;

/** Gates of a change that `diff` and `bench` share. */
export type ChangeGateName = (typeof CHANGE)[number]['name'];

const CHANGE_NAMES: ReadonlySet<string> = new Set([...CHANGE.map(({ name }) => name), 'refused', 'undecided']);

/** Returns true if a gate needs the estimates of a definition. */
export const isChangeGate = (name: string): boolean => CHANGE_NAMES.has(name);

/** Gates that compare with an older revision, so `bench` has them only with `--base`. */
export const NEEDS_BASE: ReadonlySet<string> = new Set<GateName<'bench'>>([
  'refused',
  'cost-worse',
  'time-worse',
  'estimate-worse',
  'new-rule-share',
]);

/**
 * Gates that the documentation recommends for CI, by command. The spec of the regressions of public projects proves that they catch these
 * regressions.
 */
export const RECOMMENDED = {
  diff: 'refused,objects,limit-share>25%,new-rule-share>10%,undecided',
  bench: 'refused,cost-worse>400%,limit-share>25%,new-rule-share>10%,undecided',
} as const satisfies Readonly<Partial<Record<GateCommand, string>>>;
