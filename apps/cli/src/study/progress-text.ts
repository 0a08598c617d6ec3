import { times } from '#report-forms';
import type { StudyProgress } from '#service';

/** The news of a study, as a line tells it. */
export interface ShownProgress extends Pick<StudyProgress, 'phase' | 'known' | 'rules' | 'leftMs'> {
  /** The rule of which something was found; absent if that is not known. */
  readonly latest?: {
    readonly version: string;
    readonly path: string;
    /** The field with which the cost grows most; absent if there is none. */
    readonly growsWith?: string | undefined;
    readonly costExponent?: number | undefined;
    /** Cost units of the dearest write; absent if none was found. */
    readonly cost?: number | undefined;
  };
}

/** Returns progress in the form of a line. */
export function shownProgress({ latest: { version, path, growsWith, worst }, ...figures }: StudyProgress): ShownProgress {
  const [steepest] = growsWith;
  return { ...figures, latest: { version, path, growsWith: steepest?.field, costExponent: steepest?.costExponent, cost: worst?.cost } };
}

const PHASES = { costs: 'costs', times: 'times', comparison: 'beside the older revision' } as const;

/** Returns the line about a study that goes on. */
export function progressText({ phase, known, rules, leftMs, latest }: ShownProgress): string {
  const figures = `${PHASES[phase]}: ${known} of ${times(rules, 'rule')}, ${Math.ceil(leftMs / 1000)} s left`;
  if (latest === undefined) return figures;
  const { version, path, growsWith, costExponent = 0, cost } = latest;
  const growth = growsWith === undefined ? '' : ` grows with ${growsWith} as n^${costExponent.toFixed(1)};`;
  const dearest = cost === undefined ? ' no write found yet' : ` dearest found ${cost} units`;
  return `${figures}; ${version} ${path}:${growth}${dearest}`;
}
