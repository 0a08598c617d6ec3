import type { QueueLimits } from '#jobs';
import type { StudyRecord } from './study-life.ts';

/** Maximum number of study reports that are kept for one flow, and maximum number for all flows together. */
const [MAX_PER_FLOW, MAX_STUDIES] = [50, 1000] as const;

/** Study with its record, and with its end if it has ended. */
interface EndedStudy {
  readonly record: StudyRecord;
  /** Time of the end in epoch ms, and size of the report in bytes; undefined if the study has not ended. */
  readonly end: { readonly endedAt: number; readonly reportBytes: number } | undefined;
}

/** Study that has ended, with the size of its report in bytes and the time of its end in epoch ms. */
interface KeptReport<Study extends EndedStudy> {
  readonly study: Study;
  readonly bytes: number;
  readonly endedAt: number;
}

/**
 * Returns the ended studies whose reports should be deleted. These are the oldest studies if a flow or all flows together exceed a limit.
 *
 * The limit of a flow never removes the flow's newest report. If all flows together exceed a limit, the flow with the most bytes loses its
 * oldest reports first.
 */
export function excessStudies<Study extends EndedStudy>(studies: Iterable<Study>, limits: QueueLimits): readonly Study[] {
  const ended = Array.from(studies).flatMap((study): KeptReport<Study>[] =>
    study.end === undefined ? [] : [{ study, bytes: study.end.reportBytes, endedAt: study.end.endedAt }],
  );
  const excess: KeptReport<Study>[] = [];
  const flows = Map.groupBy(
    ended.toSorted((a, b) => a.endedAt - b.endedAt),
    ({ study }) => study.record.flow.name,
  );
  for (const kept of flows.values())
    while (kept.length > MAX_PER_FLOW || (kept.length > 1 && bytesOf(kept) > (kept[0]?.study.record.flow.limits.resultBytes ?? Infinity)))
      excess.push(...kept.splice(0, 1));
  const all = Array.from(flows.values());
  while (all.flat().length > MAX_STUDIES || bytesOf(all.flat()) > limits.resultBytes) {
    const [largest] = all.toSorted((a, b) => bytesOf(b) - bytesOf(a));
    excess.push(...(largest?.splice(0, 1) ?? []));
  }
  return excess.map(({ study }) => study);
}

const bytesOf = (kept: readonly { readonly bytes: number }[]): number => kept.reduce((sum, { bytes }) => sum + bytes, 0);
