import { ApiWriter, findCluster, findTemporary, removeTemporary } from '#cluster';
import type { ClusterChoice, Removal } from '#cluster';
import { times } from '#numbers';
import { valueOf } from '../../../cluster/open-cluster.ts';
import type { OutputForm } from '../../../report/forms.ts';
import { print } from '../../../report/print.ts';
import { EXIT } from '../../../usage.ts';
import { requirePermission } from './require-permission.ts';
import { leftLines } from './report.ts';

/** Parsed arguments of `assay load --cluster --clean-up`, which removes temporary definitions of runs that were killed. */
export interface CleanUpArguments {
  readonly cluster: ClusterChoice;
  /** True if the server may be on another machine. */
  readonly isAllowedElsewhere: boolean;
  /** Id of the run whose definitions are removed; undefined for all runs. */
  readonly run: string | undefined;
  readonly output: OutputForm;
}

/**
 * Removes the temporary definitions of a run, or of all runs, and prints their names. Only definitions with both labels of `assay load` and with
 * the id of the run in their group are removed. Resolves with the exit status, which is 1 if a definition is left.
 */
export async function runCleanUp({ cluster, isAllowedElsewhere, run, output }: CleanUpArguments): Promise<number> {
  const address = valueOf(findCluster(cluster));
  requirePermission(address, isAllowedElsewhere);
  const writer = new ApiWriter(address);
  try {
    const found = valueOf(await findTemporary(writer)).filter((one) => run === undefined || one.run === run);
    const removal = await removeTemporary(writer, found);
    print(output, { schema: 'assay.dev/clean-up/v1', cluster: writer.address.name, ...removal }, () =>
      cleanUpText(removal, writer.address.name),
    );
    return removal.left.length === 0 ? EXIT.ok : EXIT.rejected;
  } finally {
    writer.close();
  }
}

function cleanUpText({ removed, left }: Removal, cluster: string): string {
  if (removed.length + left.length === 0) return `${cluster}: no temporary definitions of assay load were found\n`;
  const lines = [`${cluster}: ${times(removed.length, 'temporary definition')} removed`, ...removed.map((name) => `  ${name}`)];
  return [...lines, ...leftLines({ removed, left })].map((line) => `${line}\n`).join('');
}
