import { writeJson } from '#go';
import type { JudgingSettings } from '#documents';
import { admissionReport } from './item-admission.ts';
import type { Judged } from './judged.ts';

/**
 * Returns the verdict as one line of JSON. The stored object is written as Go writes it, because `JSON.stringify` would change its numbers.
 */
export function verdictLine(index: number, judged: Judged, settings: JudgingSettings): string {
  const line = plainAcceptance(index, judged, settings) ?? anyVerdict(index, judged, settings);
  if (!settings.options.returnObjects || !judged.object) return line;
  return `${line.slice(0, -1)},"object":${writeJson(judged.object)}}`;
}

function anyVerdict(index: number, judged: Judged, { options }: JudgingSettings): string {
  const { outcome, apiVersion, kind, name, namespace, status, missing, warnings, verdict, phases, admission } = judged;
  const hints = [...(verdict?.hints ?? []), ...(admission?.hints ?? [])];
  const cost =
    verdict?.cost.cel === undefined ? undefined : { cel: verdict.cost.cel, ...(options.explain && { rules: verdict.cost.rules ?? [] }) };
  return JSON.stringify({
    index,
    apiVersion,
    kind,
    name,
    namespace,
    definition: definitionName(judged),
    outcome,
    status,
    warnings,
    ...(hints.length > 0 && { hints }),
    takenOff: verdict?.takenOff,
    missing,
    cost,
    admission: admission && admissionReport(admission, options),
    ...(options.timings && { timings: phases }),
  });
}

/**
 * Returns the same line as {@link anyVerdict} for an accepted object without warnings and additional data, but in a third of the time.
 * Returns undefined for any other result.
 */
function plainAcceptance(index: number, judged: Judged, { options }: JudgingSettings): string | undefined {
  const { outcome, apiVersion, kind, name, namespace, status, missing, warnings, verdict, admission } = judged;
  if (outcome !== 'accepted' || apiVersion === undefined || kind === undefined || verdict?.cost.cel === undefined) return undefined;
  if (status !== undefined || missing !== undefined || warnings.length > 0 || verdict.takenOff !== undefined) return undefined;
  if (admission !== undefined || verdict.hints !== undefined) return undefined;
  if (options.explain || options.timings) return undefined;
  const kindText = `,"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)}`;
  const nameText = name === undefined ? '' : `,"name":${JSON.stringify(name)}`;
  const namespaceText = namespace === undefined ? '' : `,"namespace":${JSON.stringify(namespace)}`;
  const definition = definitionName(judged);
  const definitionText = definition === undefined ? '' : `,"definition":${JSON.stringify(definition)}`;
  return `{"index":${index}${kindText}${nameText}${namespaceText}${definitionText},"outcome":"accepted","warnings":[],"cost":{"cel":${verdict.cost.cel}}}`;
}

const definitionName = ({ definition }: Judged): string | undefined => definition && `${definition.plural}.${definition.group}`;
