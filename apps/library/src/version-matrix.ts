import { NO_POLICIES } from '#documents';
import { MINORS } from '#kube';
import { versionMatrix as compareMinors } from '#service';
import { InProcessEngine, WorkPerformer } from '#runner/in-process';
import { definitionSlices, runAsync, optionsOf, sliceOf } from './calls.ts';
import type { Document, KubernetesVersion, ObjectOptions, VersionMatrix } from './types.ts';

/** Options for comparing documents across Kubernetes versions. */
export interface MatrixOptions extends Omit<ObjectOptions, 'kubernetesVersion'> {
  /** Minor versions to compare. Default: all supported ones. */
  readonly minors?: readonly KubernetesVersion[];
}

/**
 * Computes the verdicts on the same definitions and objects for each of several Kubernetes versions. Reports differences in outcomes, messages
 * and costs.
 *
 * @example
 *     const matrix = await versionMatrix([crd], [object], { minors: ['1.30', '1.37'] });
 *     console.log(matrix.objects[0]?.outcome);
 */
export function versionMatrix(
  definitions: readonly Document[],
  objects: readonly Document[] = [],
  { minors = MINORS, ...options }: MatrixOptions = {},
): Promise<VersionMatrix> {
  return runAsync(options, (token) =>
    compareMinors(
      new InProcessEngine(new WorkPerformer(), token),
      { definitions: definitions.flatMap(definitionSlices), objects: objects.map(sliceOf), options: optionsOf(options), ...NO_POLICIES },
      minors,
      { signal: options.signal },
    ),
  );
}
