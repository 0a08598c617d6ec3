import type { Minor } from '#kube';
import type { ClusterOption } from '../../cluster/read-cluster.ts';
import {
  clusterOf,
  noPaths,
  withClusterChoice,
  optionsOf,
  runSettingsOf,
  withFieldValidation,
  withOutput,
  withPaths,
  withReading,
  withServer,
  withTimeout,
} from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { minorOf } from '../../options/option-values.ts';
import { OUTPUT_FORMS } from '../../report/forms.ts';
import type { OutputForm } from '../../report/forms.ts';
import type { Command } from '../command.ts';
import type { UpgradeCheckArguments } from './run.ts';

/** The command `assay upgrade-check`. */
export const upgradeCheckCommand: Command<UpgradeCheckArguments> = {
  name: 'upgrade-check',
  help: 'judge the definitions, policies and stored objects of a cluster or of files as two Kubernetes versions, and show the differences and their causes',
  options(parser, understand) {
    withFieldValidation(withServer(withOutput(withPaths(withClusterChoice(parser)), OUTPUT_FORMS)), 'Ignore')
      .option('--cluster', 'check the cluster of the kubeconfig (the default without PATH)')
      .requiredOption('--to-version <version>', 'the Kubernetes version after the upgrade', minorOf);
    withTimeout(withReading(parser)).action((given: string[], values: Values & { readonly toVersion: Minor }) => {
      const paths = [...(values.filename ?? []), ...given];
      understand({
        ...runSettingsOf(values),
        cluster: upgradedCluster(paths, values),
        paths,
        toVersion: values.toVersion,
        output: values.output as OutputForm,
        options: optionsOf(values),
      });
    });
  },
  run: async (parsed, context) => (await import('./run.ts')).runUpgradeCheck(parsed, context),
};

/**
 * Returns the cluster whose objects the command checks. Returns undefined if paths are given. Throws {@link UsageError} if both paths and
 * `--cluster` are given.
 */
function upgradedCluster(paths: readonly string[], values: Values): ClusterOption | undefined {
  if (paths.length === 0) return clusterOf({ ...values, cluster: true });
  if (values.cluster === true) noPaths(paths, values);
  return clusterOf(values);
}
