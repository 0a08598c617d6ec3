import { ApiReader, Cluster, findCluster } from '#cluster';
import type { ClusterAddress, ClusterChoice, ClusterReading } from '#cluster';
import { inMinor } from '#documents';
import type { EvaluationOptions } from '#documents';
import { minorWords, previewOf } from '#kube';
import { reportOnStderr } from '../report/print.ts';
import { UsageError } from '../usage.ts';

/** Cluster that a command reads from. */
export interface ClusterOption extends ClusterChoice {
  /** True if objects are validated as the minor version of the cluster validates them; false if the user named another minor version. */
  readonly ownMinor: boolean;
}

/** Cluster that was reached, and the evaluation options with the minor version to use. */
export interface OpenedCluster {
  readonly cluster: Cluster;
  readonly options: EvaluationOptions;
  /** Version text of the server, such as v1.33.2. */
  readonly version: string;
}

/**
 * Finds the cluster and reads its version. `readerOf` creates the client that reads from an address; default: a client that only reads.
 * Throws {@link UsageError} with the reason if the cluster cannot be read.
 */
export async function openCluster(
  { ownMinor, ...choice }: ClusterOption,
  options: EvaluationOptions,
  readerOf: (address: ClusterAddress) => ApiReader = (address) => new ApiReader(address),
): Promise<OpenedCluster> {
  const cluster = new Cluster(readerOf(valueOf(findCluster(choice))));
  const { minor, text, isKnown } = valueOf(await cluster.version());
  if (ownMinor && !isKnown) reportOnStderr(`${cluster.name} is ${text}, which is not known here: it is judged as ${minor}`);
  if (ownMinor && previewOf(minor) !== undefined) reportOnStderr(`${cluster.name} is ${text}: it is judged as ${minorWords(minor)}`);
  return { cluster, options: ownMinor ? inMinor(options, minor) : options, version: text };
}

/** Returns the value that was read from a cluster. Throws {@link UsageError} with the reason if `reading` is a failure. */
export function valueOf<Value>(reading: ClusterReading<Value>): Value {
  if (!reading.ok) throw new UsageError(reading.problem.sentence);
  return reading.value;
}
