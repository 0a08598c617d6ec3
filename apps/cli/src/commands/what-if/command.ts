import { Option } from 'commander';
import type { Effect } from '#documents';
import {
  clusterOf,
  noPaths,
  withClusterChoice,
  optionsOf,
  pathsOf,
  runSettingsOf,
  withOutput,
  withPaths,
  withReading,
  withServer,
  withTimeout,
  withWriter,
} from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { fieldValidationOf } from '../../options/option-values.ts';
import { failOnOption, wordGates } from '../../gates/fail-on.ts';
import type { Gate } from '../../gates/read-gates.ts';
import { REPORT_FORMS } from '../../report/forms.ts';
import type { ReportForm } from '../../report/forms.ts';
import { UsageError } from '../../usage.ts';
import type { Command } from '../command.ts';
import type { WhatIfArguments } from './run.ts';

const DEFAULT_GATES = wordGates('brokenOnUpdate', 'breaksOnNextChange', 'notJudged');

interface WhatIfValues extends Values {
  readonly from?: string;
  readonly to: string;
  readonly failOn: readonly Gate<Effect>[];
}

/** The command `assay what-if`. */
export const whatIfCommand: Command<WhatIfArguments> = {
  name: 'what-if',
  help: 'show the effects of a changed definition on stored objects: broken, broken on the next change, saved by ratcheting, stored differently. Or of changed admission policies: refused, warned, stored differently. Status 0 only if at least one object was judged. For another Kubernetes version, use upgrade-check',
  options(parser, understand) {
    withWriter(withServer(withOutput(withPaths(withClusterChoice(parser)), REPORT_FORMS)))
      .addOption(
        new Option(
          '--field-validation <word>',
          'treatment of unknown and duplicate fields: Strict, Warn or Ignore (default: Strict for the new definition, Warn for objects)',
        ).argParser(fieldValidationOf),
      )
      .option('--from <old>', 'file or folder of the current definitions and policies')
      .option('--cluster', 'compare with the definitions of a cluster, for all objects that it stores')
      .addOption(new Option('--to-version <version>', 'another Kubernetes version').argParser(twoVersions).hideHelp())
      .requiredOption('--to <new>', 'file or folder of the new definitions and policies')
      .addOption(failOnOption('what-if', DEFAULT_GATES));
    withTimeout(withReading(parser)).action((paths: string[], values: WhatIfValues) => {
      const cluster = clusterOf(values);
      if ((cluster === undefined) === (values.from === undefined)) throw new UsageError('what-if needs one of --from FILE and --cluster');
      understand({
        ...runSettingsOf(values),
        cluster,
        from: values.from,
        to: values.to,
        definitionValidation: values.fieldValidation ?? 'Strict',
        failOn: values.failOn.map(({ name }) => name),
        paths: cluster ? noPaths(paths, values) : pathsOf(paths, values, 'what-if'),
        output: values.output as ReportForm,
        options: optionsOf(values),
      });
    });
  },
  run: async (parsed, context) =>
    parsed.cluster
      ? (await import('./run-on-cluster.ts')).runWhatIfOnCluster(parsed, parsed.cluster, context)
      : (await import('./run.ts')).runWhatIf(parsed, context),
};

/** Throws a {@link UsageError} that names the command for two Kubernetes versions, because `what-if` judges both states as one version. */
function twoVersions(version: string): never {
  throw new UsageError(`what-if compares two states on one Kubernetes version: use assay upgrade-check --to-version ${version} PATH`);
}
