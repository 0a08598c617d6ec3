import { definitionText, definitionWrite, inMinor, serverOf } from '#documents';
import type { DefinitionText, EvaluationOptions, VerdictCauses } from '#documents';
import { MINORS } from '#kube';
import type { Engine } from '../ports.ts';

/**
 * Explains why a server refuses the creation of a definition that servers of earlier Kubernetes minor versions accept. Compares with the
 * last earlier minor version that accepts it. Returns undefined if there is none, or if the engine breaks or the work is cancelled.
 */
export async function refusalCauses(
  engine: Engine,
  definition: DefinitionText,
  options: EvaluationOptions,
  signal: AbortSignal | undefined,
): Promise<VerdictCauses | undefined> {
  const settings = { ...(signal && { signal }) };
  const earlier = MINORS.slice(0, MINORS.indexOf(definition.minor)).toReversed();
  if (earlier.length === 0) return undefined;
  const definitions = earlier.map((minor) => definitionText(definition.slice, serverOf(inMinor(options, minor))));
  const work = { kind: 'judge-each', definitions, rules: false, ...definitionWrite(definition, options) } as const;
  const judged = await engine.run(work, settings);
  if (judged.kind !== 'done') return undefined;
  const from = earlier[judged.result.findIndex(({ report }) => report.accepted)];
  if (from === undefined) return undefined;
  const server = serverOf(inMinor(options, from));
  const found = await engine.run({ kind: 'causes', definition, from: server, ...definitionWrite(definition, options) }, settings);
  return found.kind === 'done' ? found.result : undefined;
}
