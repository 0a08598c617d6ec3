import { InvalidArgumentError, Option } from 'commander';
import type { Command as Program } from 'commander';
import type { PairLimits } from '#cluster';
import { addressOf, addressText, countOf, durationOf } from '../../options/option-values.ts';
import {
  clusterOf,
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
import { UsageError } from '../../usage.ts';
import type { Command } from '../command.ts';
import type { ClusterLoadArguments } from './cluster/run.ts';
import { LOAD_FORMS, plainForm } from './report-forms.ts';
import type { MeasurementForm } from './report-forms.ts';
import type { LoadPace } from './report.ts';
import { isLoopback } from './require-loopback.ts';
import type { CleanUpArguments, RuleCostArguments } from './rule-costs/run-rule-costs.ts';
import type { LoadArguments } from './run.ts';

const CONNECTIONS = 10;
const DURATION_MS = 10_000;
/** Defaults and ceilings of a load on a cluster: writes per second, and times in ms. */
const CLUSTER = { rate: 20, maxRate: 1000, durationMs: 30_000, maxDurationMs: 600_000, stopAtMs: 5000 } as const;
const BUDGET_MS = 10_000;

interface LoadValues extends Values, RuleCostValues {
  readonly output: MeasurementForm;
  readonly rate?: number;
  readonly connections?: number;
  readonly duration?: number;
  readonly batch?: number;
  readonly worst?: boolean;
  readonly budget: number;
  readonly stopAt?: number;
  readonly traces?: URL;
  readonly yes?: boolean;
}

/** The command `assay load`. */
export const loadCommand: Command<LoadArguments | ClusterLoadArguments | TemporaryArguments> = {
  name: 'load',
  help: 'send load to a deployment of Assay, or dry runs to an API server (--cluster): objects, or the most expensive writes of their definitions. Shows latencies, errors, and what the rules cost (docs/how-to/load-a-service.md, load-a-cluster.md). Only in a clone, not in the package',
  options(parser, understand) {
    parser.argument(
      '[url]',
      'the address of the deployment, such as http://127.0.0.1:8080; the variable ASSAY_KEY holds the access key. Absent with --cluster',
    );
    withFieldValidation(withServer(withOutput(withPaths(withClusterChoice(parser)), LOAD_FORMS)), 'Warn')
      .option('--cluster', 'send creates with dryRun=All to an API server: nothing is stored')
      .option(
        '--rate <number>',
        `requests per second. A latency begins when its request is due, so a pause lengthens the latency of each waiting request (with --cluster: default ${CLUSTER.rate}, at most ${CLUSTER.maxRate})`,
        countOf,
      )
      .option(
        '--connections <number>',
        `number of connections; each one sends the next request after each response (default: ${CONNECTIONS})`,
        countOf,
      )
      .option(
        '--duration <duration>',
        'duration of the load, such as 30s or 2m (default: 10s; with --cluster 30s, at most 10m)',
        durationOf,
      )
      .option('--batch <number>', 'number of objects in a request (default: 1)', countOf)
      .option('--worst', 'send the most expensive writes that assay bench finds for the rules of the definitions, instead of objects')
      .addOption(new Option('--budget <duration>', 'time for this search').argParser(durationOf).default(BUDGET_MS, '10s'))
      .option('--stop-at <duration>', 'with --cluster: end the load if a write takes longer (default: 5s)', durationOf)
      .option('--traces <url>', 'the address of Jaeger, for links to traces', addressOf)
      .option('--yes', 'allow a load on another machine');
    withTimeout(withReading(withRuleCosts(parser))).action((first: string | undefined, paths: string[], values: LoadValues) =>
      understand(argumentsOf(first, paths, values)),
    );
  },
  run: async (parsed, context) => {
    if (!('cluster' in parsed)) return (await import('./run.ts')).runLoad(parsed, context);
    if (!('kind' in parsed)) return (await import('./cluster/run.ts')).runClusterLoad(parsed, context);
    if (parsed.kind === 'cleanUp') return (await import('./rule-costs/run-rule-costs.ts')).runCleanUp(parsed);
    return (await import('./rule-costs/run-rule-costs.ts')).runRuleCosts(parsed, context);
  },
};

function argumentsOf(
  first: string | undefined,
  paths: readonly string[],
  values: LoadValues,
): LoadArguments | ClusterLoadArguments | TemporaryArguments {
  if (values.cluster !== true) return temporaryArgumentsOf(paths, values, undefined) ?? serviceArguments(first, paths, values);
  const all = first === undefined ? paths : [first, ...paths];
  return temporaryArgumentsOf(all, values, ceilings(values)) ?? clusterArguments(first, paths, values);
}

/** Returns the arguments of a load on a deployment of Assay. Throws {@link UsageError} if the address is wrong or needs `--yes`. */
function serviceArguments(first: string | undefined, paths: readonly string[], values: LoadValues): LoadArguments {
  clusterOf(values);
  if (values.stopAt !== undefined) throw new UsageError('--stop-at goes with --cluster');
  const url = urlOf(first);
  if (values.yes !== true && !isLoopback(url.hostname))
    throw new UsageError(
      `${url.hostname} is not this machine: a load may stop a deployment that others use. --yes says that you may load it`,
    );
  return {
    url: addressText(url),
    paths: pathsOf(paths, values, 'load URL'),
    pace: paceOf(values),
    durationMs: values.duration ?? DURATION_MS,
    batch: values.batch ?? 1,
    worstBudgetMs: values.worst === true ? values.budget : undefined,
    traces: values.traces && addressText(values.traces),
    output: plainForm(values.output),
    options: optionsOf(values),
    ...runSettingsOf(values),
  };
}

function urlOf(first: string | undefined): URL {
  if (first === undefined) throw new UsageError('load needs the address of a deployment, such as http://127.0.0.1:8080, or --cluster');
  try {
    return addressOf(first);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(`${first} is no address of a deployment: it ${error.message}`);
  }
}

/** Options that only a load on a deployment of Assay has. */
const SERVICE_ONLY = ['connections', 'batch', 'traces'] as const;

/** Returns the arguments of a load on an API server. Throws {@link UsageError} if an option or the ceilings do not allow it. */
function clusterArguments(first: string | undefined, paths: readonly string[], values: LoadValues): ClusterLoadArguments {
  if (first !== undefined && /^https?:/.test(first))
    throw new UsageError(`--cluster and the address ${first} do not go together: -f names a file at an address`);
  const cluster = clusterOf(values);
  if (cluster === undefined) throw new UsageError('--cluster is missing');
  for (const option of SERVICE_ONLY) if (values[option] !== undefined) throw new UsageError(`--${option} does not go with --cluster`);
  const { rate, durationMs, stopAtMs } = ceilings(values);
  return {
    cluster,
    paths: pathsOf(first === undefined ? paths : [first, ...paths], values, 'load --cluster'),
    rate,
    durationMs,
    stopAtMs,
    worstBudgetMs: values.worst === true ? values.budget : undefined,
    isAllowed: values.yes === true,
    output: values.output,
    options: optionsOf(values),
    ...runSettingsOf(values),
  };
}

/** Returns the rate and the times of a load on a cluster. Throws {@link UsageError} if one is above its ceiling. */
function ceilings({ rate = CLUSTER.rate, duration = CLUSTER.durationMs, stopAt = CLUSTER.stopAtMs }: LoadValues): PairLimits {
  if (rate > CLUSTER.maxRate) throw new UsageError(`--rate: a load on a cluster has at most ${CLUSTER.maxRate} writes a second`);
  if (duration > CLUSTER.maxDurationMs) throw new UsageError('--duration: a load on a cluster takes at most 10m');
  return { rate, durationMs: duration, stopAtMs: stopAt };
}

function paceOf({ rate, connections }: LoadValues): LoadPace {
  if (rate === undefined) return { kind: 'closed', connections: connections ?? CONNECTIONS };
  if (connections !== undefined) throw new UsageError('--rate and --connections do not go together');
  return { kind: 'open', rate };
}

/** Parsed values of the options for temporary definitions. */
interface RuleCostValues {
  readonly temporaryDefinitions?: boolean;
  readonly cleanUp?: string | true;
  readonly yesCreateDefinitions?: boolean;
}

/** Values of other options of `assay load` that the measurement of rules uses. */
interface SharedValues extends Values, RuleCostValues {
  readonly budget: number;
  readonly output: MeasurementForm;
  readonly yes?: boolean;
}

/** Adds the options for temporary definitions to `assay load`. */
const withRuleCosts = (command: Program): Program =>
  command
    .option(
      '--temporary-definitions',
      'with --cluster: measure what each rule adds to a write, with temporary copies of the definition in groups of their own',
    )
    .option('--yes-create-definitions', 'allow --temporary-definitions and --clean-up on another machine')
    .option(
      '--clean-up [run]',
      'with --cluster: only remove the temporary definitions that a killed run left, of all runs or of one; other definitions stay',
    );

/** Arguments of a command for temporary definitions. */
type TemporaryArguments = ({ readonly kind: 'ruleCosts' } & RuleCostArguments) | ({ readonly kind: 'cleanUp' } & CleanUpArguments);

/**
 * Returns the arguments for measuring rules or for cleaning up. Returns undefined if neither is requested. Throws {@link UsageError} if the
 * options contradict each other.
 *
 * @param limits limits of a load on a cluster; undefined for a load on a deployment
 */
function temporaryArgumentsOf(
  paths: readonly string[],
  values: SharedValues,
  limits: PairLimits | undefined,
): TemporaryArguments | undefined {
  const { temporaryDefinitions, cleanUp, yesCreateDefinitions: isAllowedElsewhere = false } = values;
  if (temporaryDefinitions !== true && cleanUp === undefined) {
    if (isAllowedElsewhere) throw new UsageError('--yes-create-definitions goes with --temporary-definitions or --clean-up');
    return undefined;
  }
  const cluster = clusterOf(values);
  if (cluster === undefined || limits === undefined) throw new UsageError('--temporary-definitions and --clean-up go with --cluster');
  if (cleanUp !== undefined) {
    if (temporaryDefinitions === true) throw new UsageError('--temporary-definitions and --clean-up do not go together');
    if (paths.length + (values.filename ?? []).length > 0) throw new UsageError('--clean-up takes no files');
    return { kind: 'cleanUp', cluster, isAllowedElsewhere, run: cleanUp === true ? undefined : cleanUp, output: plainForm(values.output) };
  }
  return {
    kind: 'ruleCosts',
    cluster,
    isAllowedElsewhere,
    isLoadAllowed: values.yes === true,
    paths: pathsOf(paths, values, 'load --cluster --temporary-definitions'),
    ...limits,
    budgetMs: values.budget,
    output: values.output,
    options: optionsOf(values),
    ...runSettingsOf(values),
  };
}
