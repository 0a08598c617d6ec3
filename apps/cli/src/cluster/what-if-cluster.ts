import { pathOfObjects } from '#cluster';
import type { Engine } from '#runner';
import type { ReportProblem } from '../find-files.ts';
import type { WhatIfCommand } from '../commands.ts';
import { readInputs } from '../read-inputs.ts';
import { namedByOptions } from '../shared-options.ts';
import { UsageError } from '../usage.ts';
import { asApplied, definitionOf, reportChange, wholeFile } from '../what-if-command.ts';
import { openCluster } from './open-cluster.ts';
import type { ClusterOption } from './open-cluster.ts';
import { readDefinition, servedIn } from './read-definitions.ts';
import { StoredObjects } from './stored-objects.ts';
import { definitionText, serverOf } from '#evaluation';

/**
 * Runs `assay what-if --cluster`: compares the definition in the cluster with the changed definition in a file, for every stored object.
 * Resolves with the exit status.
 */
export async function whatIfCluster(
  command: WhatIfCommand,
  option: ClusterOption,
  engine: Engine,
  reportProblem: ReportProblem,
): Promise<number> {
  const inputs = await readInputs([command.to], reportProblem, namedByOptions(command.reading));
  const wanted = servedIn((await definitionOf(command.to, inputs, command.options, engine)).slice);
  if (wanted === undefined) throw new UsageError(`${command.to}: is no CustomResourceDefinition`);
  const { cluster, options } = await openCluster(option, command.options);
  try {
    const { name } = wanted.metadata;
    const stored = await readDefinition(cluster, name);
    if (stored === undefined) throw new UsageError(`${cluster.name}: has no definition ${name}`);
    const path = pathOfObjects(stored.served, wanted);
    if (path === undefined) throw new UsageError(`${cluster.name}: serves no version of ${name}`);
    const objects = new StoredObjects(cluster.list(path), name);
    const change = {
      from: definitionText(stored.slice, serverOf(options)),
      to: asApplied(await definitionOf(command.to, inputs, options, engine), command),
      options,
      written: wholeFile(inputs),
    };
    return await reportChange({ ...command, options }, change, objects, engine, reportProblem);
  } finally {
    cluster.close();
  }
}
