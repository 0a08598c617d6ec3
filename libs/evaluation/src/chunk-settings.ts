import { internalErrorStatus } from '#kube';
import type { ChunkSettings } from './chunk.ts';
import type { DefinitionReport } from './verdict.ts';

/** The settings of an evaluation's chunks: accepted definitions by digest, refused ones with the Status that their objects get. */
export function chunkSettings(
  reports: readonly DefinitionReport[],
  rest: Pick<ChunkSettings, 'options' | 'deadlineAt' | 'traceparent'>,
): ChunkSettings {
  const definitions: ChunkSettings['definitions'][number][] = [];
  const refused: ChunkSettings['refused'][number][] = [];
  for (const { accepted, digest, group = '', kind = '', name, status } of reports) {
    if (accepted) definitions.push({ digest, group, kind });
    else
      refused.push({
        groupKind: `${group}/${kind}`,
        name,
        status: JSON.stringify(status ?? internalErrorStatus('the definition was refused')),
      });
  }
  return { ...rest, definitions, refused };
}
