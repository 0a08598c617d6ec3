import type { LoadFindings } from '../../../../loadtests/src/load/send-load.ts';
import type { LoadCommand, LoadPace } from '../commands.ts';

/** The objects of a load. */
export interface LoadedObjects {
  /** Objects of files, or the dearest writes that were found. */
  readonly kind: 'given' | 'worst';
  /** Different ones; they are sent in turn. */
  readonly count: number;
  /** Objects of a request. */
  readonly batch: number;
  /** The cost of the dearest write, cost units; absent for given objects. */
  readonly dearestCost?: number;
}

/** A slow request. */
interface SlowRequest {
  readonly ms: number;
  readonly status: number;
  readonly traceId: string;
  /** The page of its trace; absent if the service records no traces, or no address of Jaeger is given. */
  readonly trace?: string;
}

/** The report of a load. */
export interface LoadReport extends Omit<LoadFindings, 'latencies' | 'slowest'> {
  /** The form of the report: fields may be added to a version, and a change of meaning is a new version. */
  readonly schema: 'assay.dev/load/v1';
  readonly url: string;
  readonly pace: LoadPace;
  readonly objects: LoadedObjects;
  /** True if somebody ended the load before its time. */
  readonly isInterrupted: boolean;
  /** Requests with another answer than a 2xx or a 429, without an answer, or not sent. */
  readonly failed: number;
  /**
   * Latencies of answers with a 2xx, ms. Percentiles with fewer than ten samples above them are absent. All are absent if requests were not sent, since these
   * would have waited the longest.
   */
  readonly latencies?: LoadFindings['latencies'] & {
    /** The time from which a latency counts. */
    readonly from: 'due' | 'sent';
  };
  /** The slowest requests with an answer, the slowest first. */
  readonly slowest: readonly SlowRequest[];
}

/** Returns the report of a load. */
export function loadReport(
  { url, pace, traces }: Pick<LoadCommand, 'url' | 'pace' | 'traces'>,
  objects: LoadedObjects,
  { latencies, slowest, ...findings }: LoadFindings,
  isInterrupted: boolean,
): LoadReport {
  const { requests, answered, unanswered, notSent, statuses } = findings;
  const isFailure = (code: number): boolean => (code < 200 || code > 299) && code !== 429;
  const refused = statuses.reduce((sum, { code, requests: some }) => sum + (isFailure(code) ? some : 0), 0);
  return {
    schema: 'assay.dev/load/v1',
    url,
    pace,
    objects,
    isInterrupted,
    failed: refused + (requests - answered - unanswered) + notSent,
    ...findings,
    ...(notSent === 0 && { latencies: { from: pace.kind === 'open' ? 'due' : 'sent', ...latencies } }),
    slowest: slowest.map((one) => ({
      ...one,
      ...(traces !== undefined && findings.isTraced && { trace: `${traces}/trace/${one.traceId}` }),
    })),
  };
}
