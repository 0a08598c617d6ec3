import { Option } from 'commander';
import { addressOf, addressText, countOf, durationOf } from '../../options/option-values.ts';
import {
  optionsOf,
  pathsOf,
  runSettingsOf,
  withClusterChoice,
  withFieldValidation,
  withOutput,
  withPaths,
  withReading,
  withServer,
  withTimeout,
} from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { OUTPUT_FORMS } from '../../report/forms.ts';
import type { OutputForm } from '../../report/forms.ts';
import { UsageError } from '../../usage.ts';
import type { Command } from '../command.ts';
import { isLoopback } from './loopback.ts';
import type { LoadPace } from './report.ts';
import { temporaryArgumentsOf, withRuleCosts } from './rule-costs/options.ts';
import type { RuleCostValues, TemporaryArguments } from './rule-costs/options.ts';
import type { LoadArguments } from './run.ts';

const CONNECTIONS = 10;
const DURATION_MS = 10_000;
const BUDGET_MS = 10_000;

interface LoadValues extends Values, RuleCostValues {
  readonly rate?: number;
  readonly connections?: number;
  readonly duration: number;
  readonly batch: number;
  readonly worst?: boolean;
  readonly budget: number;
  readonly traces?: URL;
  readonly yes?: boolean;
}

/** The command `assay load`. */
export const loadCommand: Command<LoadArguments | TemporaryArguments> = {
  name: 'load',
  help: 'load a deployment of Assay with objects, or with the most expensive writes of their definitions: latencies, errors, and the slowest requests with their traces (docs/how-to/load-a-service.md). A part of the clone, not of the package',
  options(parser, understand) {
    parser.argument(
      '[url]',
      'the address of the deployment, such as http://127.0.0.1:8080; ASSAY_KEY holds its access key, if it has keys',
      addressOf,
    );
    withFieldValidation(withServer(withOutput(withPaths(parser), OUTPUT_FORMS)), 'Warn')
      .option(
        '--rate <number>',
        'requests a second; latencies count from when a request was due, so that a stall shows in all that wait',
        countOf,
      )
      .option('--connections <number>', `connections that send the next request after each response (default: ${CONNECTIONS})`, countOf)
      .addOption(
        new Option('--duration <duration>', 'the time of the load, such as 30s or 2m').argParser(durationOf).default(DURATION_MS, '10s'),
      )
      .addOption(new Option('--batch <number>', 'objects of a request').argParser(countOf).default(1))
      .option('--worst', 'send the most expensive writes that assay bench finds for the rules of the definitions, instead of objects')
      .addOption(new Option('--budget <duration>', 'time for this search').argParser(durationOf).default(BUDGET_MS, '10s'))
      .option('--traces <url>', 'the address of Jaeger, for links to traces', addressOf)
      .option('--yes', 'allow a load on another machine')
      .option('--stop-at <duration>', 'end the load at the first answer that takes longer', durationOf)
      .option('--cluster', 'load the API server of the current kubeconfig');
    withTimeout(withReading(withRuleCosts(withClusterChoice(parser)))).action(
      (url: URL | undefined, paths: string[], values: LoadValues) => {
        const temporary = temporaryArgumentsOf(paths, values);
        if (temporary !== undefined) return understand(temporary);
        if (url === undefined) throw new UsageError('load needs the address of a deployment');
        if (values.yes !== true && !isLoopback(url.hostname))
          throw new UsageError(
            `${url.hostname} is not this machine: a load may stop a deployment that others use. --yes says that you may load it`,
          );
        understand({
          url: addressText(url),
          paths: pathsOf(paths, values, 'load URL'),
          pace: paceOf(values),
          durationMs: values.duration,
          batch: values.batch,
          worstBudgetMs: values.worst === true ? values.budget : undefined,
          traces: values.traces && addressText(values.traces),
          output: values.output as OutputForm,
          options: optionsOf(values),
          ...runSettingsOf(values),
        });
      },
    );
  },
  run: async (parsed, context) => {
    if (!('kind' in parsed)) return (await import('./run.ts')).runLoad(parsed, context);
    if (parsed.kind === 'cleanUp') return (await import('./rule-costs/run-clean-up.ts')).runCleanUp(parsed);
    return (await import('./rule-costs/run-rule-costs.ts')).runRuleCosts(parsed, context);
  },
};

function paceOf({ rate, connections }: LoadValues): LoadPace {
  if (rate === undefined) return { kind: 'closed', connections: connections ?? CONNECTIONS };
  if (connections !== undefined) throw new UsageError('--rate and --connections do not go together');
  return { kind: 'open', rate };
}
