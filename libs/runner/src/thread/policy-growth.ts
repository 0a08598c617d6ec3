import type { ListGrowth } from '#documents';
import type { CancellationToken } from '#go';
import type { PolicyCellFindings } from '#benchmark';
import type { GrowWork, PolicyStudyWork } from '../protocol.ts';
import { growParts } from './grow-parts.ts';
import type { JudgingCaches } from './judge-item.ts';
import { studyPolicy } from './study-policy.ts';

/** Performer of the work on how policies grow. A thread loads its code only when it gets such work. */
export class PolicyGrowth {
  readonly #caches: JudgingCaches;

  constructor(caches: JudgingCaches) {
    this.#caches = caches;
  }

  /** Performs the work of {@link growParts}. */
  grow(work: GrowWork, token: CancellationToken): ListGrowth[] {
    return growParts(work, this.#caches, token);
  }

  /** Performs the work of {@link studyPolicy}. */
  study(work: PolicyStudyWork, token: CancellationToken): PolicyCellFindings {
    return studyPolicy(work, this.#caches, token);
  }
}
