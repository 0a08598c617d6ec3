import type { PredictedWriteTime } from '#benchmark';
import type { EarlyEnd, WriteFindings, WritesFindings } from '../../../../../../loadtests/src/load/send-writes.ts';
import { growthOf, medianTime, familiesOff, ruleTimes } from './rule-times.ts';
import type { LadderGrowth, MedianTime, FamilyOff } from './rule-times.ts';
import type { Rights, ServerHistograms } from './server-requests.ts';
import type { ClusterWorkload, LoadedWrite } from './workload.ts';

/** Cluster that a load writes to, and how the load sends its writes. */
export interface LoadedCluster {
  /** Name of the context, or `in-cluster`. */
  readonly cluster: string;
  /** Address of the API server, without credentials. */
  readonly server: string;
  /** Version text of the server. */
  readonly version: string;
  /** Number of writes per second. */
  readonly rate: number;
  /** True if each write is sent only after the previous one has ended. */
  readonly isAlone: boolean;
  readonly durationMs: number;
  /** Latency in ms above which the load ends. */
  readonly stopAtMs: number;
  /** Name under which objects are created. */
  readonly name: string;
}

/** Findings about one write of a load. */
export interface WriteRow {
  readonly definition: string;
  readonly version: string;
  /** Place of the given object, or of the definition of the rule. */
  readonly source: string;
  /** Path and text of the rule for which the object was generated, and the size of its largest field. Absent for given objects. */
  readonly path?: string;
  readonly rule?: string;
  readonly size?: number;
  readonly bytes: number;
  /** Exact cost of all rules, in cost units. */
  readonly cost: number;
  /** Predicted time of an API server for all rules. */
  readonly predicted: PredictedWriteTime;
  readonly expected: 'accepted' | 'refused';
  readonly sent: number;
  readonly failed: number;
  readonly problem?: string;
  /**
   * Latencies of expected answers, in ms. A percentile is absent if fewer than ten samples are above it. The median with its interval is absent
   * below five samples.
   */
  readonly latencies: { readonly samples: number; readonly p50?: number; readonly p99?: number; readonly median?: MedianTime };
}

/** Content of the printed report of a load of writes on an API server. */
export interface ClusterLoadReport extends LoadedCluster, Omit<WritesFindings, 'each' | 'latencies'> {
  /** Version of the report's format. Fields may be added within a version; a change of meaning gets a new version. */
  readonly schema: 'assay.dev/cluster-load/v1';
  readonly workload: ClusterWorkload['kind'];
  /** True if the user ended the load early. */
  readonly isInterrupted: boolean;
  /** Reason why the load ended early by itself. Absent if it did not. */
  readonly earlyEnd?: EarlyEnd;
  readonly rights: Rights;
  /**
   * Latencies of expected answers, in ms. Absent if an open load could not send some writes, because these would have had the highest
   * latencies.
   */
  readonly latencies?: WritesFindings['latencies'] & { readonly from: 'due' | 'sent' };
  readonly writes: readonly WriteRow[];
  /** Growth of the time by rule. Empty for given objects. */
  readonly growth: readonly LadderGrowth[];
  /** Families of rules whose predictions differ from the measurement by more than a factor of 2. */
  readonly familiesOff: readonly FamilyOff[];
  readonly leftOut: ClusterWorkload['leftOut'];
  readonly serverHistograms: ServerHistograms;
}

/** Facts about a load that are known beside its workload and its findings. */
export interface LoadCircumstances {
  readonly isInterrupted: boolean;
  readonly rights: Rights;
  readonly serverHistograms: ServerHistograms;
}

/** Returns the report on a load of writes. It contains no contents of objects. */
export function clusterLoadReport(
  target: LoadedCluster,
  { kind, writes, leftOut }: ClusterWorkload,
  { each, latencies, ...findings }: WritesFindings,
  circumstances: LoadCircumstances,
): ClusterLoadReport {
  const measured = writes.map((write, i) => ({ write, samples: each[i]?.samples ?? [] }));
  const rows = writes.map((write, i) => writeRow(write, each[i]));
  const { isAlone } = target;
  return {
    schema: 'assay.dev/cluster-load/v1',
    ...target,
    workload: kind,
    ...circumstances,
    ...findings,
    ...((isAlone || findings.notSent === 0) && { latencies: { from: isAlone ? 'sent' : 'due', ...latencies } }),
    writes: rows,
    growth: growthOf(measured),
    familiesOff: familiesOff(ruleTimes(rows)),
    leftOut,
  };
}

function writeRow({ definition, source, resource, rung, priced }: LoadedWrite, findings: WriteFindings | undefined): WriteRow {
  const { sent = 0, failed = 0, problem, samples = [], latencies: { p50, p99 } = {} } = findings ?? {};
  const { bytes, cost, serverTime, isAccepted } = priced;
  const median = medianTime(samples);
  return {
    definition,
    version: resource.version,
    source,
    ...(rung && { path: rung.rule.path, rule: rung.rule.rule, size: rung.size }),
    bytes,
    cost,
    predicted: serverTime,
    expected: isAccepted ? 'accepted' : 'refused',
    sent,
    failed,
    ...(problem !== undefined && { problem }),
    latencies: {
      samples: samples.length,
      ...(p50 !== undefined && { p50 }),
      ...(p99 !== undefined && { p99 }),
      ...(median && { median }),
    },
  };
}
