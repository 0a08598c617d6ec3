import { internalErrorStatus, notFoundStatus } from '#kube';
import type { Status } from '#kube';
import { supersededDefinitions, isServed } from '../verdict/same-names.ts';
import type { ChunkSettings } from './chunk.ts';
import type { DefinitionReport } from '../answer-types.ts';

/**
 * Returns the settings that all chunks (parts) of an evaluation share. `definitions` lists each served definition by its digest. `refused`
 * lists each refused definition with the Status that its objects get. `refused` also lists definitions that are accepted but not served
 * because of a name conflict. Such a definition is left out if a served definition has the same kind. Definitions that another definition of
 * the same name supersedes are in neither list.
 */
export function chunkSettings(
  reports: readonly DefinitionReport[],
  rest: Pick<ChunkSettings, 'options' | 'policies' | 'deadlineAt' | 'traceparent'>,
): ChunkSettings {
  const definitions: ChunkSettings['definitions'][number][] = [];
  const refused: ChunkSettings['refused'][number][] = [];
  const unserved: ChunkSettings['refused'][number][] = [];
  const superseded = supersededDefinitions(reports);
  for (const [i, report] of reports.entries()) {
    if (superseded.has(i)) continue;
    const { accepted, digest, group = '', kind = '', name, status } = report;
    if (isServed(report)) definitions.push({ digest, group, kind });
    else if (accepted) unserved.push({ groupKind: `${group}/${kind}`, name, status: JSON.stringify(unservedStatus(report)) });
    else
      refused.push({
        groupKind: `${group}/${kind}`,
        name,
        status: JSON.stringify(status ?? internalErrorStatus('the definition was refused')),
      });
  }
  const taken = new Set(definitions.map(({ group, kind }) => `${group}/${kind}`));
  return { ...rest, definitions, refused: [...refused, ...unserved.filter(({ groupKind }) => !taken.has(groupKind))] };
}

/**
 * Returns the Status of objects whose definition lost a conflict about its names. The Status says, as a cluster would, that the resource
 * does not exist.
 */
function unservedStatus({ group = '', names, name, conditions = [] }: DefinitionReport): Status {
  const why = conditions.find(({ type }) => type === 'NamesAccepted');
  const status = notFoundStatus({ group, resource: names?.plural ?? '' }, name);
  return {
    ...status,
    message: `the server could not find the requested resource: ${name} is not established (${why?.reason ?? ''}: ${why?.message ?? ''})`,
  };
}

/** Returns the digests of all texts that the chunks of an evaluation need: the definitions and the policies. */
export function textDigests({ definitions, policies }: ChunkSettings): string[] {
  return [...definitions.map(({ digest }) => digest), ...(policies === undefined ? [] : [policies])];
}

/** Returns true if the cost of a whole evaluation is limited. Each of its runs then depends on the cost of the runs before it. */
export function hasBudget({ options: { costLimits } }: Pick<ChunkSettings, 'options'>): boolean {
  return typeof costLimits.perEvaluation === 'number';
}
