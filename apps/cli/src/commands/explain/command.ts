import type { ClusterOption } from '../../cluster/read-cluster.ts';
import {
  clusterOf,
  noPaths,
  withClusterChoice,
  optionsOf,
  pathsOf,
  runSettingsOf,
  unwantedOf,
  withAdvice,
  withDocuments,
  withReading,
  withServer,
  withTimeout,
} from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { countOf } from '../../options/option-values.ts';
import { REPORT_FORMS } from '../../report/forms.ts';
import type { ReportForm } from '../../report/forms.ts';
import { UsageError } from '../../usage.ts';
import type { Command } from '../command.ts';
import type { BoundRepair } from './mend-definitions.ts';
import type { ExplainArguments } from './run.ts';

interface ExplainValues extends Values {
  readonly verbose?: boolean;
  readonly rule?: number;
  readonly fix?: boolean;
  readonly write?: boolean;
  readonly allowTightening?: boolean;
  readonly exact?: boolean;
  readonly html?: string;
}

/** The command `assay explain`. */
export const explainCommand: Command<ExplainArguments> = {
  name: 'explain',
  help: 'show the cost of each part of each rule, estimated and measured in objects, bounds that reduce costs, and the cost of admission policies',
  options(parser, understand) {
    withAdvice(withServer(withDocuments(withClusterChoice(parser), 'Strict', REPORT_FORMS)))
      .option('--cluster', 'explain all rules of the definitions of a cluster, the most expensive first')
      .option('-v, --verbose', 'show the cost of each part of each rule')
      .option('--rule <number>', 'show the cost of each part of one rule, by its number in the table', countOf)
      .option('--fix', 'print, as a patch for git apply, the missing bounds with which a server accepts the definitions')
      .option('--write', 'with --fix: write the bounds into the files; comments stay')
      .option('--allow-tightening', 'with --fix: also lower existing bounds if added bounds do not suffice; this may break stored objects')
      .option('--exact', 'with --fix: the largest values that suffice, instead of values that people choose, such as 64 or 253')
      .option('--html <file>', 'also write a page for a browser, with a picture of the cost of each rule');
    withTimeout(withReading(parser)).action((paths: string[], values: ExplainValues) =>
      understand({
        cluster: explainedCluster(values),
        paths: values.cluster === true ? noPaths(paths, values) : pathsOf(paths, values, 'explain'),
        output: values.output as ReportForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
        verbose: values.verbose === true,
        rule: values.rule,
        unwantedAdvice: unwantedOf(values),
        html: values.html,
        fix: mendsOf(values),
      }),
    );
  },
  run: async (parsed, context) =>
    parsed.cluster
      ? (await import('./run-on-cluster.ts')).runExplainOnCluster(parsed, parsed.cluster, context)
      : (await import('./run.ts')).runExplain(parsed, context),
};

/**
 * Returns the requested repair of definitions; undefined if none is requested. Throws {@link UsageError} if options for a repair are given
 * without `--fix`.
 */
function mendsOf({ fix, write, allowTightening, exact }: ExplainValues): BoundRepair | undefined {
  const needing = [write === true && '--write', allowTightening === true && '--allow-tightening', exact === true && '--exact'].find(
    Boolean,
  );
  if (fix !== true && needing !== undefined) throw new UsageError(`${needing} needs --fix`);
  if (fix !== true) return undefined;
  return {
    as: write === true ? 'write' : 'patch',
    choice: { changes: allowTightening === true ? 'all' : 'missing', values: exact === true ? 'exact' : 'common' },
  };
}

/**
 * Returns the chosen cluster for `explain`; undefined if none is chosen. Throws {@link UsageError} if options for files are given, because
 * with a cluster the command can only list rules.
 */
function explainedCluster(values: ExplainValues): ClusterOption | undefined {
  const cluster = clusterOf(values);
  if (cluster && (values.rule !== undefined || values.fix === true || values.html !== undefined))
    throw new UsageError('--rule, --fix and --html are for files, not for --cluster');
  if (values.html !== undefined && values.fix === true) throw new UsageError('--html and --fix do not go together');
  return cluster;
}
