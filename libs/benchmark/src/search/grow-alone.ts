import { withSize, sizeIn } from './dimensions.ts';
import type { Dimension } from './dimensions.ts';
import type { Candidate, RuleProbe, Trial, TrialLimits } from './rule-probe.ts';

/**
 * Maximum number of doubling steps. `HALVINGS` is the number of halvings by which the last step of each dimension is refined afterwards.
 */
const DOUBLINGS = 60;
const HALVINGS = 5;
/** Number of trials at the beginning of the search that check the schema keywords. Later trials skip this check. */
const CHECKED = 30;

type Evaluated = Trial & { readonly kind: 'evaluated' };

/** A candidate with the result of its evaluation. */
interface Step {
  readonly candidate: Candidate;
  readonly trial: Evaluated;
}

/** Limits for a value that is being enlarged. */
export interface GrowthBounds {
  /** Maximum size of the value in bytes of JSON. */
  readonly maxBytes: number;
  readonly limits: TrialLimits;
}

/**
 * Enlarges the value `from` that a rule validates, to find a high cost. It repeatedly doubles the size of the one field that adds most cost
 * per byte; `dimensions` are the fields it may enlarge. It stops at the schema's bounds, at `maxBytes`, or at a value that exceeds the
 * cost limit. Returns the plan of the most expensive value.
 */
export function growAlone(
  probe: RuleProbe,
  from: Candidate,
  dimensions: readonly Dimension[],
  { maxBytes, limits }: GrowthBounds,
): Candidate {
  let left = CHECKED;
  let holds = false;
  const evaluated = (candidate: Candidate): Evaluated | undefined => {
    const trial = probe.try(candidate, { ...limits, isChecked: left-- > 0 });
    if (trial.kind !== 'evaluated' || trial.bytes > maxBytes) return undefined;
    // If the rule holds for the first value, it must also hold for larger values. Otherwise, a server would reject them.
    return holds && (trial.outcome === 'false' || trial.outcome === 'error') ? undefined : trial;
  };
  const first = evaluated(from);
  holds = first?.outcome === 'true';
  if (first === undefined) return from;
  let best: Step = { candidate: from, trial: first };
  for (let i = 0; i < DOUBLINGS && best.trial.outcome !== 'overLimit'; i++) {
    const step = bestStep(best.candidate, best.trial, dimensions, evaluated);
    if (step === undefined) break;
    best = step;
  }
  if (best.trial.outcome === 'overLimit') return best.candidate;
  for (const dimension of dimensions) {
    let [low, high] = [sizeIn(best.candidate.plan, dimension), Math.min(dimension.most, 2 * sizeIn(best.candidate.plan, dimension))];
    for (let i = 0; i < HALVINGS && high > low + 1; i++) {
      const middle = Math.floor((low + high) / 2);
      const candidate = { ...best.candidate, plan: withSize(best.candidate.plan, dimension, middle) };
      const trial = evaluated(candidate);
      if (trial === undefined || trial.cost < best.trial.cost) high = middle;
      else {
        low = middle;
        best = { candidate, trial };
      }
    }
  }
  return best.candidate;
}

function bestStep(
  from: Candidate,
  now: Evaluated,
  dimensions: readonly Dimension[],
  evaluated: (candidate: Candidate) => Evaluated | undefined,
): Step | undefined {
  let best: (Step & { readonly gain: number }) | undefined;
  for (const dimension of dimensions) {
    const step = raised(from, now, dimension, evaluated);
    if (step === undefined) continue;
    const gain = (step.trial.cost - now.cost) / Math.max(8, step.trial.bytes - now.bytes);
    if (best === undefined || gain > best.gain) best = { ...step, gain };
  }
  return best;
}

/**
 * Factors by which a size is raised, in this order, until the cost rises. A small factor may not raise the cost, for example because one
 * cost unit covers ten characters.
 */
const FACTORS = [2, 8, 64];

function raised(
  from: Candidate,
  now: Evaluated,
  dimension: Dimension,
  evaluated: (candidate: Candidate) => Evaluated | undefined,
): Step | undefined {
  const size = sizeIn(from.plan, dimension);
  for (const factor of FACTORS) {
    const next = Math.min(dimension.most, Math.max(factor, factor * size));
    if (next <= size) return undefined;
    const candidate = { ...from, plan: withSize(from.plan, dimension, next) };
    const trial = evaluated(candidate);
    if (trial === undefined) return undefined;
    if (trial.cost > now.cost) return { candidate, trial };
  }
  return undefined;
}
