import type { QueueLimits, ThreadTimeStore } from '#jobs';
import { tooManyRequestsStatus } from '#kube';
import type { Status } from '#kube';
import type { ProgressFigures, StudyPhase, StudyRecord } from './study-life.ts';

/** Maximum number of waiting studies of one flow, the queue of one client, and of all flows together. */
const [MAX_WAITING_PER_FLOW, MAX_WAITING] = [4, 32] as const;
/** Time in seconds after which a client should retry if the end of the running study is not known. */
const RETRY_SECONDS = 10;

/** Study that has not ended. */
interface OpenStudy {
  readonly record: StudyRecord;
  readonly phase: StudyPhase;
  readonly figures: ProgressFigures | undefined;
}

/** Limit that a new study exceeds, with the Status for the client. */
export interface ExceededStudyLimit {
  readonly reason: 'flow-studies' | 'studies' | 'flow-bytes' | 'bytes' | 'thread-time';
  /** Status with code 429 for the client. */
  readonly status: Status;
}

/** New study that the service accepts or refuses. Also contains the client's daily thread time, and how much of it is used. */
export interface RoomRequest {
  readonly record: StudyRecord;
  /** Thread time in ms that the client may use each day. */
  readonly dayMs: number;
  /** Thread time in ms that the client used today. */
  readonly spentMs: number;
  /** Number of threads that each study uses. The thread time of a study is its time budget multiplied by this number. */
  readonly threads: number;
}

/**
 * Returns the limit that is exceeded if a new study is accepted beside the studies in `open`, which have not ended. Returns undefined if
 * the study can be accepted.
 */
export function exceededStudyLimit(
  request: RoomRequest,
  open: readonly OpenStudy[],
  limits: QueueLimits,
  now: number,
): ExceededStudyLimit | undefined {
  return noPlaceFor(request.record, open, limits) ?? noTimeFor(request, open, now);
}

/**
 * Returns a refusal with status 429 if the client has too little thread time left today for the study. Studies that have not ended count
 * with their whole budget. Accepted studies therefore never need more time than the client has.
 */
function noTimeFor(
  { record, dayMs, spentMs, threads }: RoomRequest,
  open: readonly OpenStudy[],
  now: number,
): ExceededStudyLimit | undefined {
  const client = chargedClient(record);
  const promised = open.filter((study) => chargedClient(study.record) === client);
  const promisedMs = promised.reduce((sum, study) => sum + study.record.budgetMs * threads, 0);
  const leftMs = Math.max(0, dayMs - spentMs - promisedMs);
  if (record.budgetMs * threads <= leftMs) return undefined;
  const left = `${Math.floor(leftMs / 1000)} of ${Math.floor(dayMs / 1000)} s of thread time are left for today's studies of this client`;
  const message = `${left}, and this study asks for ${Math.ceil((record.budgetMs * threads) / 1000)} s`;
  return { reason: 'thread-time', status: tooManyRequestsStatus(message, secondsLeftOfDay(now)) };
}

/** Returns the limit of waiting studies or of their bytes that a new study exceeds. Returns undefined if there is a place for it. */
function noPlaceFor({ flow, bytes }: StudyRecord, open: readonly OpenStudy[], limits: QueueLimits): ExceededStudyLimit | undefined {
  const own = open.filter(({ record }) => record.flow.name === flow.name);
  const waiting = (studies: readonly OpenStudy[]): number => studies.filter(({ phase }) => phase === 'waiting').length;
  const held = (studies: readonly OpenStudy[]): number => studies.reduce((sum, { record }) => sum + record.bytes, bytes);
  const full = (reason: ExceededStudyLimit['reason'], what: string): ExceededStudyLimit => {
    const leftMs = own.find(({ phase }) => phase === 'running')?.figures?.leftMs;
    const seconds = leftMs === undefined ? RETRY_SECONDS : Math.max(1, Math.ceil(leftMs / 1000));
    return { reason, status: tooManyRequestsStatus(`too many ${what}, please try again later`, seconds) };
  };
  if (waiting(own) >= MAX_WAITING_PER_FLOW) return full('flow-studies', 'studies of this client are waiting');
  if (waiting(open) >= MAX_WAITING) return full('studies', 'studies are waiting');
  if (held(own) > flow.limits.bytes) return full('flow-bytes', 'bytes of studies of this client are waiting');
  if (held(open) > limits.waitingBytes) return full('bytes', 'bytes of studies are waiting');
  return undefined;
}

/** Returns the name of the client that is charged for thread time: its access key, or its flow if the service requires no key. */
export const chargedClient = ({ owner, flow }: Pick<StudyRecord, 'owner' | 'flow'>): string =>
  owner === undefined ? `flow ${flow.name}` : `key ${owner}`;

/** Returns the UTC day of a time in epoch ms, as `YYYY-MM-DD`. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Returns the number of seconds until the end of the UTC day, at least 1. */
function secondsLeftOfDay(now: number): number {
  const end = Date.parse(`${dayOf(now)}T00:00:00Z`) + 86_400_000;
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** Record of the thread time (time on engine threads) that the studies of each client have used on the current UTC day. */
export class ThreadTime {
  readonly #store: ThreadTimeStore;
  readonly #now: () => number;

  constructor(store: ThreadTimeStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Returns the thread time in ms that a client used today. */
  spent(client: string): Promise<number> {
    return this.#store.charged(dayOf(this.#now()), client);
  }

  charge(client: string, ms: number): Promise<void> {
    return this.#store.charge(dayOf(this.#now()), client, ms);
  }
}

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
