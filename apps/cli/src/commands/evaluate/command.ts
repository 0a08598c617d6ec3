import {
  clusterOf,
  withClusterChoice,
  collected,
  optionsOf,
  pathsOf,
  runSettingsOf,
  unwantedOf,
  withAdvice,
  withCrdsOption,
  withFieldValidation,
  withOutput,
  withPaths,
  withReading,
  withServer,
  withTimeout,
  withWriter,
} from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { failOnOption, wordGates } from '../../gates/fail-on.ts';
import type { FailureKind } from '../../gates/gate-list.ts';
import type { Gate } from '../../gates/read-gates.ts';
import type { Command } from '../command.ts';
import type { EvaluateArguments } from './arguments.ts';
import { EVALUATION_FORMS } from './report/all-reports.ts';
import type { EvaluationForm } from './report/all-reports.ts';

const DEFAULT_GATES = wordGates('rejected', 'not-evaluated');

interface EvaluateValues extends Values {
  readonly old?: readonly string[];
  readonly base?: string;
  readonly strictKinds?: boolean;
  readonly failOn: readonly Gate<FailureKind>[];
  readonly mustReject?: boolean;
  readonly quiet?: boolean;
  readonly asServer?: boolean;
}

/** The command `assay evaluate`. */
export const evaluateCommand: Command<EvaluateArguments> = {
  name: 'evaluate',
  help: 'judge objects against the definitions and admission policies among the files',
  options(parser, understand) {
    withFieldValidation(withServer(withOutput(withPaths(withClusterChoice(parser)), EVALUATION_FORMS)), 'Strict');
    withAdvice(withCrdsOption(withWriter(parser)))
      .option('--explain', 'list the cost of each rule')
      .option('--return-objects', 'print accepted objects as the server would store them')
      .option(
        '--old <path>',
        'earlier objects, such as a folder of another revision: Assay judges objects of the same kind and name as updates; allowed several times',
        collected,
      )
      .option(
        '--cluster',
        'take missing definitions and the stored objects from a cluster, and judge objects that the cluster stores as updates',
      )
      .option('--base <revision>', 'like --old, with the objects of this git revision of the files')
      .option(
        '--strict-kinds',
        'fail if an object has no definition; without this option, Assay only counts such objects, for example Deployments',
      )
      .addOption(failOnOption('evaluate', DEFAULT_GATES))
      .option('--must-reject', 'status 0 only if the server refuses every object, as in a folder of bad examples')
      .option(
        '-q, --quiet',
        'print only problems and the summary. Without this option, accepted definitions and policies are listed, if there are at most 10 of them and no objects',
      )
      .option('--as-server', "print the server's whole messages, unchanged");
    withTimeout(withReading(parser)).action((paths: string[], values: EvaluateValues) =>
      understand({
        crds: values.crds,
        paths: pathsOf(paths, values, 'evaluate'),
        output: values.output as EvaluationForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
        cluster: clusterOf(values),
        old: values.old ?? [],
        base: values.base,
        strictKinds: values.strictKinds === true,
        failOn: values.failOn.map(({ name }) => name),
        mustReject: values.mustReject === true,
        quiet: values.quiet === true,
        unwantedAdvice: unwantedOf(values),
        asServer: values.asServer === true,
      }),
    );
  },
  run: async (parsed, context) => (await import('./run.ts')).runEvaluate(parsed, context),
};
