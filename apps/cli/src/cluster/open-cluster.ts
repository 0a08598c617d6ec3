import { ApiReader, Cluster, findCluster } from '#cluster';
import type { ClusterChoice, Reading } from '#cluster';
import { inMinor } from '#evaluation';
import type { EvaluationOptions } from '#evaluation';
import { reportOnStderr } from '../print.ts';
import { UsageError } from '../usage.ts';

/** A cluster that a command asks. */
export interface ClusterOption extends ClusterChoice {
  /** True if objects are judged by the cluster's own minor; else by the minor that the user named. */
  readonly ownMinor: boolean;
}

/** A cluster that answered, and the options with its minor. */
export interface OpenedCluster {
  readonly cluster: Cluster;
  readonly options: EvaluationOptions;
  /** The server's text: v1.33.2. */
  readonly version: string;
}

/** Finds the cluster and asks it for its version. Throws {@link UsageError} with why it cannot be asked. */
export async function openCluster({ ownMinor, ...choice }: ClusterOption, options: EvaluationOptions): Promise<OpenedCluster> {
  const cluster = new Cluster(new ApiReader(valueOf(findCluster(choice))));
  const { minor, text, isKnown } = valueOf(await cluster.version());
  if (ownMinor && !isKnown) reportOnStderr(`${cluster.name} is ${text}, which is not known here: it is taken for ${minor}`);
  return { cluster, options: ownMinor ? inMinor(options, minor) : options, version: text };
}

/** What was read. Throws {@link UsageError} with why it was not. */
export function valueOf<Value>(reading: Reading<Value>): Value {
  if (!reading.ok) throw new UsageError(reading.problem.sentence);
  return reading.value;
}
