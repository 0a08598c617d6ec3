import { Option } from 'commander';
import type { Command as Program } from 'commander';
import { EFFECTS } from '#documents';
import type { Effect } from '#documents';
import { MINORS } from '#kube';
import type { Minor } from '#kube';
import { DIFF, MATRIX, UPGRADE_CHECK, WHAT_IF } from '../command-words.ts';
import { MATRIX_FORMS, OUTPUT_FORMS, REPORT_FORMS } from '../commands.ts';
import type { ClusterOption } from '../cluster/open-cluster.ts';
import type { DiffCommand, MatrixForm, OutputForm, ReportForm } from '../commands.ts';
import { DIFF_FAILURES } from '../diff-failures.ts';
import type { DiffFailure } from '../diff-failures.ts';
import { diffFailuresOf, effectsOf, fieldValidationOf, minorOf, minorsOf } from '../option-values.ts';
import {
  optionsOf,
  pathsOf,
  runSettingsOf,
  withCatalogue,
  withFieldValidation,
  withGates,
  withOutput,
  withPaths,
  withServer,
  withWriter,
} from '../shared-options.ts';
import type { Values } from '../shared-options.ts';
import { UsageError } from '../usage.ts';
import { clusterOf, noPaths, withClusterChoice } from './cluster-arguments.ts';
import { withDocuments } from './judging-commands.ts';
import type { Understand } from './judging-commands.ts';

/** Adds the command `matrix` to the command-line parser `program`. The parser passes the parsed command to `understand`. */
export function addMatrix(program: Program, understand: Understand): void {
  withCatalogue(withGates(withDocuments(program.command('matrix').description(MATRIX), 'Strict', MATRIX_FORMS)))
    .addOption(
      new Option('--minors <versions>', 'the versions to compare, with commas, such as 1.37,1.38')
        .argParser(minorsOf)
        .default(MINORS, 'all'),
    )
    .option('--chart <file>', 'also write a picture (SVG): the cost of each rule on the first and on the last version')
    .action((paths: string[], values: Values & { minors: readonly Minor[]; chart?: string }) =>
      understand({
        name: 'matrix',
        crds: values.crds,
        paths: pathsOf(paths, values, 'matrix'),
        minors: MINORS.filter((minor) => values.minors.includes(minor)),
        chart: values.chart,
        output: values.output as MatrixForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
      }),
    );
}

/** Adds the command `what-if` to the program. */
export function addWhatIf(program: Program, understand: Understand): void {
  withWriter(withServer(withOutput(withPaths(withClusterChoice(program.command('what-if').description(WHAT_IF))), REPORT_FORMS)))
    .addOption(
      new Option(
        '--field-validation <word>',
        'Strict, Warn or Ignore: unknown and doubled fields (default: Strict for the new definition, Warn for objects)',
      ).argParser(fieldValidationOf),
    )
    .option('--from <old>', 'file or folder of the present definitions and policies')
    .option('--cluster', 'the definitions as a cluster has them, over all objects that it stores')
    .addOption(new Option('--to-version <version>', 'another Kubernetes version').argParser(twoVersions).hideHelp())
    .requiredOption('--to <new>', 'the same as they shall be')
    .addOption(
      new Option('--fail-on <effects>', `effects that end with status 1, with commas, of ${EFFECTS.join(', ')}`)
        .argParser(effectsOf)
        .default(DEFAULT_FAIL_ON, DEFAULT_FAIL_ON.join(',')),
    )
    .action((paths: string[], values: Values & { from?: string; to: string; failOn: readonly Effect[] }) => {
      const cluster = clusterOf(values);
      if ((cluster === undefined) === (values.from === undefined)) throw new UsageError('what-if needs one of --from FILE and --cluster');
      understand({
        name: 'what-if',
        ...runSettingsOf(values),
        cluster,
        from: values.from,
        to: values.to,
        definitionValidation: values.fieldValidation ?? 'Strict',
        failOn: values.failOn,
        paths: cluster ? noPaths(paths, values) : pathsOf(paths, values, 'what-if'),
        output: values.output as ReportForm,
        options: optionsOf(values),
      });
    });
}

/** Throws a {@link UsageError} that names the command for two Kubernetes versions, because `what-if` judges both states as one version. */
function twoVersions(version: string): never {
  throw new UsageError(`what-if compares two states on one Kubernetes version: use assay upgrade-check --to-version ${version} PATH`);
}

/** Adds the command `upgrade-check` to the program. */
export function addUpgradeCheck(program: Program, understand: Understand): void {
  withFieldValidation(
    withServer(withOutput(withPaths(withClusterChoice(program.command('upgrade-check').description(UPGRADE_CHECK))), OUTPUT_FORMS)),
    'Ignore',
  )
    .option('--cluster', 'the cluster that is upgraded (this is the default without PATH)')
    .requiredOption('--to-version <version>', 'the Kubernetes version after the upgrade', minorOf)
    .action((given: string[], values: Values & { toVersion: string }) => {
      const paths = [...(values.filename ?? []), ...given];
      understand({
        name: 'upgrade-check',
        ...runSettingsOf(values),
        cluster: upgradedCluster(paths, values),
        paths,
        toVersion: values.toVersion as Minor,
        output: values.output as OutputForm,
        options: optionsOf(values),
      });
    });
}

/** Returns the cluster that is upgraded; undefined if there are paths. Throws {@link UsageError} if both are given. */
function upgradedCluster(paths: readonly string[], values: Values): ClusterOption | undefined {
  if (paths.length === 0) return clusterOf({ ...values, cluster: true });
  if (values.cluster === true) noPaths(paths, values);
  return clusterOf(values);
}

/** Adds the command `diff` to the command-line parser `program`. The parser passes the parsed command to `understand`. */
export function addDiff(program: Program, understand: Understand): void {
  withServer(withOutput(program.command('diff').description(DIFF), [...OUTPUT_FORMS, 'markdown']))
    .argument('<revision>', 'the older state, a revision of the git repository, or two of them: main..HEAD')
    .argument('<path...>', 'files or folders of the repository')
    .addOption(
      new Option(
        '--fail-on <failures>',
        `findings that end with status 1, with commas, of ${DIFF_FAILURES.join(', ')}; each includes the ones before it`,
      )
        .argParser(diffFailuresOf)
        .default(DEFAULT_DIFF_FAILURES, DEFAULT_DIFF_FAILURES.join(',')),
    )
    .action((revision: string, paths: string[], values: Values & { failOn: readonly DiffFailure[] }) => {
      const [base = '', head] = revision.split('..');
      understand({
        name: 'diff',
        base,
        head: head === '' ? undefined : head,
        paths,
        output: values.output as DiffCommand['output'],
        options: optionsOf(values),
        ...runSettingsOf(values),
        failOn: values.failOn,
      });
    });
}

const DEFAULT_FAIL_ON: readonly Effect[] = ['brokenOnUpdate', 'breaksOnNextChange', 'notJudged'];
const DEFAULT_DIFF_FAILURES: readonly DiffFailure[] = ['refused', 'objects'];
