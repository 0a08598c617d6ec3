import type { Difference } from '#kube';

/** One difference in CEL between minor versions of the server. */
export type MinorDifference = Difference & {
  /**
   * Version with which `since` is compared: the server's own minor version, or the compatibility version. For new expressions, the
   * compatibility version is one minor version lower than the server's.
   */
  readonly by: 'server' | 'compatibility';
  /** Description of the behaviour since the version `since`, for contributors. */
  readonly what: string;
};
