import { readSlice } from '#documents';
import { isJsonObject } from '#go';
import type { Minor } from '#kube';
import type { WorkPerformer } from '#runner/in-process';
import { suiteText } from '../share/suite-text.ts';
import { NO_TEXTS } from '../state/texts.ts';
import type { Texts } from '../state/texts.ts';
import type { WorkSettings } from '../worker/serve-asks.ts';
import { evaluateTexts } from './evaluate-texts.ts';
import { documentsIn, writtenText } from './read-texts.ts';
import type { PaneDocument } from './read-texts.ts';

/**
 * Returns a suite for `assay test` that expects the current verdicts on objects. Policies are left out because their suites have another
 * format.
 */
export async function writeSuite(
  performer: WorkPerformer,
  { texts, minor }: { readonly texts: Texts; readonly minor: Minor },
  settings: WorkSettings,
): Promise<string> {
  const plain = { ...texts, policies: '' };
  const { definitions, objects: reports } = await evaluateTexts(performer, { texts: plain, minor }, settings);
  const written = documentsIn(plain).objects;
  const stored = new Map(
    documentsIn({ ...NO_TEXTS, old: texts.old }, ['old']).objects.map((document) => [identity(document), writtenText(document)]),
  );
  const cases = reports.flatMap((report, i) => {
    const document = written[i];
    if (document === undefined || report.outcome === 'notEvaluated') return [];
    const old = report.isUpdate === true ? stored.get(identity(document)) : undefined;
    return [{ title: report.title, text: writtenText(document), report, ...(old !== undefined && { old }) }];
  });
  return suiteText(definitions[0]?.title.replace('CustomResourceDefinition ', '') ?? 'Suite', cases);
}

function identity({ slice }: PaneDocument): string {
  const reading = readSlice(slice);
  const object = reading.ok && isJsonObject(reading.value) ? reading.value : {};
  const metadata = isJsonObject(object['metadata'] ?? null) ? (object['metadata'] as Record<string, unknown>) : {};
  return JSON.stringify([object['kind'], metadata['namespace'] ?? 'default', metadata['name']]);
}
