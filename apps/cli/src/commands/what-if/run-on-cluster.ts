import { pathOfObjects } from '#cluster';
import type { Cluster } from '#cluster';
import type { EvaluationOptions } from '#documents';
import type { Engine } from '#runner';
import type { ReportProblem } from '../../files/file-problem.ts';
import { UsageError } from '../../usage.ts';
import { changeOutcome, reportOutcome } from './run.ts';
import type { WhatIfArguments } from './run.ts';
import type { ChangeOutcome } from './report.ts';
import { changeBetween, readState } from './states.ts';
import type { NamedDefinition } from './states.ts';
import { openCluster, readStoredDefinition, servedIn, StoredObjects } from '../../cluster/read-cluster.ts';
import type { ClusterOption } from '../../cluster/read-cluster.ts';
import type { RunContext } from '../command.ts';

/**
 * Runs `assay what-if --cluster`: compares the definitions in the cluster with the changed definitions in a file or folder, for every stored
 * object. Resolves with the exit status.
 */
export async function runWhatIfOnCluster(
  command: WhatIfArguments,
  option: ClusterOption,
  { engine, reportProblem }: RunContext,
): Promise<number> {
  const { definitions } = await readState(command.to, command, engine, reportProblem);
  if (definitions.size === 0) throw new UsageError(`${command.to}: is no CustomResourceDefinition`);
  const { cluster, options } = await openCluster(option, command.options);
  try {
    const changes: ChangeOutcome[] = [];
    for (const definition of definitions.values())
      changes.push(await changeInCluster(definition, { command, options, cluster }, engine, reportProblem));
    return reportOutcome({ ...command, options }, { changes, unchanged: [], added: [], removed: [], skipped: 0 });
  } finally {
    cluster.close();
  }
}

/** The cluster whose definitions change, and the options that match it. */
interface ChangedCluster {
  readonly command: WhatIfArguments;
  readonly options: EvaluationOptions;
  readonly cluster: Cluster;
}

async function changeInCluster(
  { document, name }: NamedDefinition,
  { command, options, cluster }: ChangedCluster,
  engine: Engine,
  reportProblem: ReportProblem,
): Promise<ChangeOutcome> {
  const wanted = servedIn(document.slice);
  if (wanted === undefined) throw new UsageError(`${document.source}: is no CustomResourceDefinition`);
  const stored = await readStoredDefinition(cluster, name);
  if (stored === undefined) throw new UsageError(`${cluster.name}: has no definition ${name}`);
  const path = pathOfObjects(stored.served, wanted);
  if (path === undefined) throw new UsageError(`${cluster.name}: serves no version of ${name}`);
  const objects = new StoredObjects(cluster.list(path), name);
  return changeOutcome(changeBetween(stored.slice, document, command, options), objects, engine, reportProblem);
}
