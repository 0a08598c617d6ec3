import type { StudyReport } from '#benchmark';
import type { EvaluationOptions } from '#documents';
import type { Engine } from '#runner';
import { estimateChanges } from '#service';
import type { PlacedDocument } from '../../../documents/read-documents.ts';
import { trackedEstimates } from '../../../tracking/tracked-definition.ts';
import type { TrackedDefinition } from '../../../tracking/tracked-definition.ts';

/** Study, with the definitions that it studied and the options of the server. */
interface StudiedDefinitions {
  readonly study: StudyReport;
  readonly definitions: readonly PlacedDocument[];
  readonly options: EvaluationOptions;
}

/** Returns the estimates of the studied definitions on all minor versions, with the most expensive write that the study found for each rule. */
export async function trackedStudy(engine: Engine, { study, definitions, options }: StudiedDefinitions): Promise<TrackedDefinition[]> {
  const found = new Map(study.rules.map(({ source, version, path, worst }) => [keyOf(source, version, path), worst?.cost]));
  const tracked: TrackedDefinition[] = [];
  for (const { source, slice } of definitions) {
    const estimates = await estimateChanges(engine, { from: 'none', to: slice }, options);
    const name = estimates.report?.name ?? source;
    const one = trackedEstimates(name, estimates, options.kubernetesVersion);
    tracked.push({ ...one, rules: one.rules.map((rule) => ({ ...rule, found: found.get(keyOf(source, rule.version, rule.path)) })) });
  }
  return tracked;
}

const keyOf = (source: string, version: string, path: string): string => JSON.stringify([source, version, path]);
