import type { EvaluationOptions } from '#documents';
import type { PlacedVerdict } from '../evaluate.ts';
import type { InputFile } from '../read-inputs.ts';

/**
 * Result of a case of a test suite: undefined if the case passes. Otherwise, it is the difference from the expectation, or the feature that
 * Assay does not support.
 */
export type CaseEnd = undefined | { readonly problem: string } | { readonly notSupported: string };

/** Test case whose verdict Assay computes: a request, and the function that compares its verdict with the expected result. */
export interface RequestCase {
  readonly name: string;
  /** Line on which the case begins in the suite, from 1. */
  readonly line?: number | undefined;
  /** JSON of the batch item for this case: an object, or a request with its context. */
  readonly item: string;
  /**
   * Compares a verdict with the expectation. `references` are the verdicts on the objects in {@link RequestBatch.references}, in the same
   * order.
   */
  readonly end: (verdict: PlacedVerdict, references: readonly PlacedVerdict[]) => CaseEnd | Promise<CaseEnd>;
}

/** Case whose verdict is not computed, with the reason. */
interface UnsupportedCase {
  readonly name: string;
  readonly line?: number | undefined;
  readonly notSupported: string;
}

/** Test case of a suite of admission requests: a case whose verdict can be computed, or an unsupported case. */
export type SuiteCase = RequestCase | UnsupportedCase;

/** Cases whose verdicts are computed with the same policies. */
export interface RequestBatch {
  /** Documents of the policies, and of the cluster objects that the policies read. */
  readonly inputs: readonly InputFile[];
  readonly cases: readonly SuiteCase[];
  /** Expected objects as JSON. They are evaluated without policies to find the form in which a server would store them. */
  readonly references?: readonly string[];
  /** True if the batch contains mutating policies, which not all servers support. */
  readonly mutates?: boolean;
  /** True if objects without a definition are accepted unchanged. Test tools that use no server accept such objects. */
  readonly takesAnyKind?: boolean;
}

/** Suite of requests to admission policies, independent of the format of its file. */
export interface RequestSuite {
  readonly kind: 'requests';
  readonly file: string;
  readonly name: string;
  readonly batches: readonly RequestBatch[];
  /** Returns the options of the command line, overridden by the suite's options. The result is not yet checked. */
  readonly optionsOver?: (options: EvaluationOptions) => object;
  /** Files to which the suite refers. */
  readonly files: readonly string[];
  /** Digest of the suite and its files. It changes if one of them changes. */
  readonly digest: string;
}
