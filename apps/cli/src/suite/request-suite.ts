import type { EvaluationOptions } from '#evaluation';
import type { PlacedVerdict } from '../evaluate.ts';
import type { InputFile } from '../read-inputs.ts';

/**
 * The result of a case: undefined if it passes, the difference from its expectation, or a feature that Assay does not
 * support.
 */
export type CaseEnd = undefined | { readonly problem: string } | { readonly notSupported: string };

/** A case that is judged: a request, and what its verdict is held against. */
export interface RequestCase {
  readonly name: string;
  /** Line on which the case begins in the suite, from 1. */
  readonly line?: number | undefined;
  /** JSON of the item: an object, or a request with its context. */
  readonly item: string;
  /** Holds the verdict against what is expected. `references`: verdicts of the objects in {@link RequestBatch.references}, by their place. */
  readonly end: (verdict: PlacedVerdict, references: readonly PlacedVerdict[]) => CaseEnd | Promise<CaseEnd>;
}

/** A case that is not judged, with the reason. */
interface UnsupportedCase {
  readonly name: string;
  readonly line?: number | undefined;
  readonly notSupported: string;
}

/** Either sort of case. */
export type SuiteCase = RequestCase | UnsupportedCase;

/** Cases that meet the same policies. */
export interface RequestBatch {
  /** Documents of policies, and of the cluster objects that they read. */
  readonly inputs: readonly InputFile[];
  readonly cases: readonly SuiteCase[];
  /** JSON of expected objects. They are written without policies, to learn their stored form. */
  readonly references?: readonly string[];
  /** True if the batch holds mutating policies, which are in force on some servers only. */
  readonly mutates?: boolean;
  /** True if objects without a definition are taken unchanged, as tools without a server take them. */
  readonly takesAnyKind?: boolean;
}

/** A suite of requests to admission policies, in whatever form it was written. */
export interface RequestSuite {
  readonly kind: 'requests';
  readonly file: string;
  readonly name: string;
  readonly batches: readonly RequestBatch[];
  /** Returns the options of the command line, overridden by the suite's options. The result is not yet checked. */
  readonly optionsOver?: (options: EvaluationOptions) => object;
  /** The files that it names. */
  readonly files: readonly string[];
  /** Digest of the suite and its files. It changes if one of them changes. */
  readonly digest: string;
}
