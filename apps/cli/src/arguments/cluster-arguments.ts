import type { Command as Program } from 'commander';
import type { ClusterOption } from '../cluster/open-cluster.ts';
import type { Values } from '../shared-options.ts';
import { UsageError } from '../usage.ts';

// What commands that can ask a cluster have in common.

/** Adds the options that choose a cluster. */
export const withClusterChoice = (command: Program): Program =>
  command
    .option('--kubeconfig <file>', 'the kubeconfig (default: KUBECONFIG, ~/.kube/config, or the account of the pod)')
    .option('--context <name>', 'a context of it')
    .option('--allow-exec', 'run the program that the kubeconfig names for credentials');

/** Undefined where no cluster is asked. */
export function clusterOf({ cluster, kubeconfig, context, allowExec, kubernetesVersion }: Values): ClusterOption | undefined {
  if (cluster === true) return { kubeconfig, context, allowExec: allowExec === true, ownMinor: kubernetesVersion === undefined };
  if (kubeconfig !== undefined || context !== undefined || allowExec === true)
    throw new UsageError('--kubeconfig, --context and --allow-exec go with --cluster');
  return undefined;
}

/** No paths: what a cluster stores is judged. Throws {@link UsageError} for others. */
export function noPaths(paths: readonly string[], { filename = [] }: Values): readonly string[] {
  if (paths.length + filename.length > 0) throw new UsageError('with --cluster no files are judged: leave PATH out');
  return [];
}
