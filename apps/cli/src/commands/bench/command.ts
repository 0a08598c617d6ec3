import { Option } from 'commander';
import { addressOf, addressText, countOf, durationOf } from '../../options/option-values.ts';
import {
  collected,
  optionsOf,
  pathsOf,
  runSettingsOf,
  withOutput,
  withPaths,
  withReading,
  withServer,
  withTimeout,
} from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { failOnOption, gateMinorsOf, gateMinorsOption, wordGates } from '../../gates/fail-on.ts';
import type { GateMinorValues } from '../../gates/fail-on.ts';
import type { Gate } from '../../gates/read-gates.ts';
import { NEEDS_BASE } from '../../gates/gate-list.ts';
import type { GateName } from '../../gates/gate-list.ts';
import { OUTPUT_FORMS, TOOL_FORMS } from '../../report/forms.ts';
import { UsageError } from '../../usage.ts';
import { TRACKING_FORMS } from '../../tracking/tracking-forms.ts';
import type { Command } from '../command.ts';
import type { BenchArguments } from './read-studied.ts';

const BUDGET_MS = 30_000;

interface BenchValues extends Values, GateMinorValues {
  readonly kubernetesVersion?: NonNullable<Values['kubernetesVersion']>;
  readonly rule?: string;
  readonly objects?: readonly string[];
  readonly base?: string;
  readonly budget: number;
  readonly seed: number;
  readonly go?: string;
  readonly server?: URL;
  /** True if the study of the rules also measures how long the rules run; false if `--no-times` is given. */
  readonly times: boolean;
  readonly failOn: readonly Gate<GateName<'bench'>>[];
}

/** The forms in which the report of a study of rules is printed. */
export const BENCH_FORMS: readonly BenchArguments['output'][] = [...OUTPUT_FORMS, 'html', 'markdown', ...TOOL_FORMS, ...TRACKING_FORMS];

/** The command `assay bench`. */
export const benchCommand: Command<BenchArguments> = {
  name: 'bench',
  help: 'find with which fields and how fast the cost of each rule grows, and the most expensive write with its time. For policies, also growth with the numbers of bindings, parameters, variables and matchConditions. With --base, compare with an older revision',
  options(parser, understand) {
    withServer(withOutput(withPaths(parser), BENCH_FORMS))
      .option('--rule <name>', 'study only rules with this path, or with this part in their text')
      .option('--objects <path>', 'objects with which the searches start, in addition to those in PATH; allowed several times', collected)
      .option('--base <revision>', 'compare with the definitions of this git revision of the files')
      .addOption(new Option('--budget <duration>', 'time for the study, such as 30s or 2m').argParser(durationOf).default(BUDGET_MS, '30s'))
      .addOption(
        new Option('--seed <number>', 'start of the random choices: the same seed gives the same choices').argParser(countOf).default(1),
      )
      .option('--go <program>', 'also measure times in the Go libraries of Kubernetes, with the program of loadtests/go/rule-times')
      .option(
        '--server <url>',
        'let a service of Assay perform the study, such as http://127.0.0.1:8080; the variable ASSAY_KEY holds the access key',
        addressOf,
      )
      .option('--no-times', 'measure no times. Costs are exact also on a busy machine')
      .addOption(failOnOption('bench', wordGates()))
      .addOption(gateMinorsOption());
    withTimeout(withReading(parser)).action((paths: string[], values: BenchValues) => {
      const { go, server } = values;
      if (go !== undefined && server !== undefined) throw new UsageError('--go and --server do not go together');
      const comparing = values.failOn.find(({ name }) => NEEDS_BASE.has(name));
      if (comparing && values.base === undefined)
        throw new UsageError(`--fail-on ${comparing.text} compares with an older revision: add --base`);
      understand({
        paths: pathsOf(paths, values, 'bench'),
        rule: values.rule,
        objects: values.objects ?? [],
        base: values.base,
        budgetMs: values.budget,
        seed: values.seed,
        isTimed: values.times,
        goProgram: go,
        server: server && addressText(server),
        failOn: values.failOn,
        minors: gateMinorsOf(values),
        output: values.output as BenchArguments['output'],
        options: optionsOf(values),
        ...runSettingsOf(values),
      });
    });
  },
  run: async (parsed, context) => (await import('./run.ts')).runBench(parsed, context),
};
