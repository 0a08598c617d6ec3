import { retentionOf } from '#queue';
import type { QueueLimits } from '#queue';
import type { StudyEnd, StudyRecord } from './study-life.ts';

/** Reports that are kept of one flow, and of all. */
const [MOST_OF_FLOW, MOST_OF_ALL] = [50, 1000] as const;

/** A study, which may be over. */
interface EndedStudy {
  readonly record: StudyRecord;
  readonly end: StudyEnd | undefined;
}

/** A study that is over, and the bytes of its report. */
interface KeptReport<Study extends EndedStudy> {
  readonly study: Study;
  readonly bytes: number;
  readonly endedAt: number;
}

/**
 * Returns the studies whose reports are to be forgotten: expired ones, and the oldest ones if a flow, or all flows together, have too much. A flow
 * keeps its newest one. If all flows together have too much, the flow with the most bytes gives way first.
 */
export function expiredStudies<Study extends EndedStudy>(studies: Iterable<Study>, limits: QueueLimits, now: number): readonly Study[] {
  const ended = Array.from(studies).flatMap((study): KeptReport<Study>[] =>
    study.end === undefined ? [] : [{ study, bytes: study.end.reportBytes, endedAt: study.end.endedAt }],
  );
  const isExpired = ({ bytes, endedAt }: KeptReport<Study>): boolean => endedAt + retentionOf(bytes, limits.retentionMs) < now;
  const forgotten = ended.filter(isExpired);
  const flows = Map.groupBy(
    ended.filter((kept) => !isExpired(kept)).toSorted((a, b) => a.endedAt - b.endedAt),
    ({ study }) => study.record.flow.name,
  );
  for (const kept of flows.values())
    while (kept.length > MOST_OF_FLOW || (kept.length > 1 && bytesOf(kept) > (kept[0]?.study.record.flow.limits.resultBytes ?? Infinity)))
      forgotten.push(...kept.splice(0, 1));
  const all = Array.from(flows.values());
  while (all.flat().length > MOST_OF_ALL || bytesOf(all.flat()) > limits.resultBytes) {
    const [largest] = all.toSorted((a, b) => bytesOf(b) - bytesOf(a));
    forgotten.push(...(largest?.splice(0, 1) ?? []));
  }
  return forgotten.map(({ study }) => study);
}

const bytesOf = (kept: readonly { readonly bytes: number }[]): number => kept.reduce((sum, { bytes }) => sum + bytes, 0);
