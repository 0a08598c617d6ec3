import type { Command as Program } from 'commander';
import type { ClusterOption } from '../cluster/open-cluster.ts';
import type { Values } from './shared-options.ts';
import { UsageError } from '../usage.ts';

// What commands that can ask a cluster have in common.

/** Adds to a command the options that choose a cluster. */
export const withClusterChoice = (command: Program): Program =>
  command
    .option('--kubeconfig <file>', 'the kubeconfig (default: KUBECONFIG, ~/.kube/config, or the account of the pod)')
    .option('--context <name>', 'a context of it')
    .option('--allow-exec', 'run the program that the kubeconfig names for credentials');

/**
 * Returns the chosen cluster; undefined if no cluster is requested. Throws {@link UsageError} if cluster options are given without
 * `--cluster`.
 */
export function clusterOf({ cluster, kubeconfig, context, allowExec, kubernetesVersion }: Values): ClusterOption | undefined {
  if (cluster === true) return { kubeconfig, context, allowExec: allowExec === true, ownMinor: kubernetesVersion === undefined };
  if (kubeconfig !== undefined || context !== undefined || allowExec === true)
    throw new UsageError('--kubeconfig, --context and --allow-exec go with --cluster');
  return undefined;
}

/**
 * Returns no paths, because with `--cluster` the command reads the objects of the cluster. Throws {@link UsageError} if paths are given.
 */
export function noPaths(paths: readonly string[], { filename = [] }: Values): readonly string[] {
  if (paths.length + filename.length > 0) throw new UsageError('with --cluster no files are judged: leave PATH out');
  return [];
}
