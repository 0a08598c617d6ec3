/** The report of a study of rules, as plain JSON. */
export interface StudyReport {
  readonly schema: 'assay.dev/study/v1';
  readonly kubernetesVersion: string;
  readonly seed: number;
  readonly node: string;
  readonly cpu: string;
  /** The time that the study may take, ms. */
  readonly budgetMs: number;
  readonly isPartial: boolean;
  /** The revision compared with; absent if there is none. */
  readonly base?: string;
  readonly rules: readonly RuleFindings[];
  readonly notStudied: readonly { readonly reason: string; readonly rules: number }[];
}

/** The findings about one rule of a study. */
export interface RuleFindings {
  /** `widgets.example.com`. */
  readonly definition: string;
  /** The file. */
  readonly source: string;
  readonly version: string;
  readonly path: string;
  readonly rule: string;
  /** Cost units as decimal texts. */
  readonly estimate?: { readonly call: string; readonly object: string };
  readonly growsWith: readonly {
    readonly field: string;
    readonly unit: 'items' | 'properties' | 'code points' | 'code points of keys';
    readonly bound?: number;
    readonly costExponent: number;
    readonly near?: string;
    readonly points: readonly { readonly size: number; readonly cost: number }[];
    readonly timeExponent?: { readonly value: number; readonly lo: number; readonly hi: number };
    readonly times: readonly { readonly engine: string; readonly points: readonly { readonly size: number; readonly ms: number }[] }[];
  }[];
  readonly budgetEndsAt?: { readonly field: string; readonly unit: string; readonly size: number; readonly limit: 'call' | 'object' };
  readonly worst?: {
    readonly cost: number;
    readonly evaluations: number;
    readonly bytes: number;
    readonly end: 'accepted' | 'call' | 'object';
    readonly plan: Readonly<Record<string, unknown>>;
    readonly old: string;
  };
  readonly estimateOverWorst?: number;
  readonly obstacle?: string;
  readonly notStudied?: string;
  readonly isPartial: boolean;
  readonly suggestedBounds?: readonly {
    readonly field: string;
    readonly keyword: string;
    readonly suggested: number;
    readonly before: number | null;
  }[];
  readonly claims: readonly {
    readonly claim: string;
    readonly found: string;
    readonly verdict: 'holds' | 'in part' | 'fails' | 'not measured';
  }[];
  readonly times: readonly {
    readonly engine: string;
    readonly what: 'rule' | 'write' | 'compile';
    readonly ms: number;
    readonly nsPerUnit?: number;
  }[];
  readonly base?: {
    readonly kind: 'compared' | 'new' | 'removed';
    readonly cost?: {
      readonly base: number;
      readonly head: number;
      readonly ratio?: number;
      readonly verdict: 'equal' | 'dearer' | 'cheaper';
    };
    readonly time?: {
      readonly engine: string;
      readonly ratio: number;
      readonly lo: number;
      readonly hi: number;
      readonly verdict: 'equal' | 'slower' | 'faster' | 'undecided';
    };
  };
}
