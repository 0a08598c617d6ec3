/** Limit by which a server ends an evaluation: the limit of one evaluation, or a budget that expressions share. */
export type PolicyStop = 'limit' | 'budget';

/** Exact cost and predicted time of one request at one size. */
export interface PolicyPoint {
  readonly size: number;
  /** Cost of all expressions in cost units. */
  readonly cost: number;
  /** Predicted CPU time of the policy plugin of a server, in ms. */
  readonly ms: number;
  /** Limit by which a server ends an evaluation at this size; absent if all evaluations end by themselves. */
  readonly stoppedBy?: PolicyStop;
}

/** Number at which the predicted time of a request passes a bound. */
export interface TimePassed {
  readonly ms: number;
  readonly size: number;
  /** True if the request was judged at this size and at the size that is smaller by one. If false, the size continues the growth. */
  readonly isJudged: boolean;
}

/** Growth of the cost and the time of a request with one size. */
export interface PolicySeries {
  /** Number of parts of the policy that grows, or unit of the size of a list, map or text that grows. */
  readonly grows: 'bindings' | 'parameters' | 'variables' | 'matchConditions' | 'elements' | 'entries' | 'characters';
  /** Name of the copied variable or match condition, or path of the list, map or text. Absent for bindings and parameters. */
  readonly name?: string;
  /** Parameter object that contains the list, map or text. Absent if the request's object contains it. */
  readonly param?: string;
  readonly points: readonly PolicyPoint[];
  /** Exponent of the growing part of the cost. Absent if the cost does not grow, or if there are too few points. */
  readonly costExponent?: number;
  /** Exponent of the growing part of the predicted time, from the three largest sizes. Absent if there are too few points. */
  readonly timeExponent?: number;
  readonly passes: readonly TimePassed[];
  /** Greatest size at which all evaluations end by themselves, and the limit that the next size exceeds. Absent if it is not known. */
  readonly mayGrowTo?: { readonly size: number; readonly by: PolicyStop };
  /** True if the time ended before all sizes were judged. */
  readonly isPartial: boolean;
}

/** Cost and predicted time of a request. */
export type PolicyPrice = Pick<PolicyPoint, 'cost' | 'ms'>;

/** Change of a policy that makes requests cheaper, with the figures of both. Both were judged, and their verdicts agree. */
export interface PolicyHelp {
  readonly change: 'merge-bindings' | 'refuse-first' | 'narrow-constraints' | 'share-by-variable';
  /** The change in words. */
  readonly text: string;
  /** Request for which the figures hold. */
  readonly request: string;
  readonly before: PolicyPrice;
  readonly after: PolicyPrice;
}

/** Findings of a study about one policy and one sample request. */
export interface StudiedPolicy {
  readonly kind: string;
  readonly name: string;
  /** Place of the object whose write was judged. Absent if no object was found to which the policy applies. */
  readonly sample?: string;
  /** Number of bindings that match the sample request. */
  readonly bindings?: number;
  readonly price?: PolicyPrice;
  readonly series: readonly PolicySeries[];
  readonly helps: readonly PolicyHelp[];
  /** Parts of the study that were not performed, with the reasons. */
  readonly notStudied: readonly { readonly what: string; readonly reason: string }[];
}

/** Report of a study of admission policies. */
export interface PolicyStudyReport {
  readonly schema: 'assay.dev/policy-study/v1';
  readonly kubernetesVersion: string;
  readonly budgetMs: number;
  /** True if the time ended before all policies were studied, or if a user ended the study. */
  readonly isPartial: boolean;
  readonly policies: readonly StudiedPolicy[];
}

/** Part of the study of one policy, which a thread performs as a whole. */
export const POLICY_CELLS = ['bindings', 'parameters', 'variables', 'matchConditions', 'sizes', 'helps'] as const;
export type PolicyCell = (typeof POLICY_CELLS)[number];

/** Findings of one part of the study of a policy. */
export interface PolicyCellFindings extends Pick<StudiedPolicy, 'series' | 'helps' | 'notStudied'> {
  /** Number of bindings that match the request, and its price. Absent if the policy does not apply to the request. */
  readonly applies?: { readonly bindings: number } & PolicyPrice;
  /** True if the time ended before this part of the study was complete. */
  readonly isPartial: boolean;
}
