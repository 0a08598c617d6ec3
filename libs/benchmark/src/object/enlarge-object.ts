import type { CancellationToken } from '#go';
import { firstOver } from '../figures/bending-point.ts';
import { withSize, sizeIn } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { Filling } from '../values/choice.ts';
import type { JudgedObject } from './ascent.ts';
import { isReportable } from './grow-object.ts';
import type { WholeObject } from './whole-object.ts';

/** Maximum number of rounds. Each round raises each size once. */
const ROUNDS = 6;
/**
 * Factors by which a size is raised, from the largest to the smallest. When no factor succeeds any more, a search by halving finds the size
 * to use, up to twice the current size.
 */
const FACTORS = [64, 8, 2];
const HALVINGS = 7;
/** Minimum gain of a round as a share of the cost. A round with a smaller gain is the last one. */
const MIN_GAIN = 0.002;

/**
 * Raises the sizes in an accepted object, such as list lengths, one by one. A change is kept only if the definition accepts the whole
 * object and its cost rises. If no single size can be raised, the function doubles one size and halves or doubles another. If that fails
 * too, it exchanges the contents of two texts. Returns the most expensive object.
 *
 * @param maxBytes Maximum size of an object in bytes of JSON.
 */
export function enlargeObject(
  whole: WholeObject,
  from: JudgedObject,
  { dimensions, maxBytes }: { readonly dimensions: readonly Dimension[]; readonly maxBytes: number },
  token: CancellationToken | undefined,
): JudgedObject {
  const growth = new Enlargement(whole, from, maxBytes, token);
  for (let round = 0; round < ROUNDS; round++) {
    const before = growth.cost;
    for (const dimension of dimensions) growth.raise(dimension);
    const isStuck = growth.cost <= before * (1 + MIN_GAIN);
    if (isStuck && !growth.anyTrade(dimensions) && !growth.anySwap(dimensions)) break;
    if (growth.isOver) break;
  }
  return growth.best;
}

const contentOf = ({ plan }: Candidate, field: string): Filling => plan.at(field)?.filling ?? { kind: 'least' };

class Enlargement {
  best: JudgedObject;
  readonly #whole: WholeObject;
  readonly #maxBytes: number;
  readonly #token: CancellationToken | undefined;

  constructor(whole: WholeObject, from: JudgedObject, maxBytes: number, token: CancellationToken | undefined) {
    this.#whole = whole;
    this.#maxBytes = maxBytes;
    this.#token = token;
    this.best = from;
  }

  get cost(): number {
    return this.best.trial.kind === 'judged' ? this.best.trial.cost : -1;
  }

  /**
   * True if a cost limit ends the validation of the object, or if the time is over. In the first case, no object is more expensive. In the
   * second case, no more objects can be validated.
   */
  get isOver(): boolean {
    return this.#token?.cancelled === true || (this.best.trial.kind === 'judged' && this.best.trial.limit !== undefined);
  }

  /** Raises one size as far as the cost rises and the object is accepted. */
  raise(dimension: Dimension): void {
    for (const factor of FACTORS) while (!this.isOver && this.#take(this.#at(dimension, factor * this.#size(dimension))));
    let [low, high] = [this.#size(dimension), Math.min(dimension.most, 2 * this.#size(dimension))];
    for (let i = 0; i < HALVINGS && high > low && !this.isOver; i++) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#take(this.#at(dimension, middle))) low = middle;
      else high = middle - 1;
    }
  }

  /**
   * Applies the first trade of two sizes that raises the cost: one size is doubled, the other is halved or doubled. Returns true if there
   * is such a trade.
   */
  anyTrade(dimensions: readonly Dimension[]): boolean {
    for (const up of dimensions)
      for (const down of dimensions) {
        if (up === down || this.isOver) continue;
        const larger = this.#at(up, 2 * this.#size(up));
        if (larger === undefined) continue;
        const half = Math.max(down.least, Math.floor(sizeIn(larger.plan, down) / 2));
        const double = Math.min(down.most, 2 * sizeIn(larger.plan, down));
        if ([half, double].some((size) => this.#take({ ...larger, plan: withSize(larger.plan, down, size) }))) return true;
      }
    return false;
  }

  /**
   * Exchanges the contents of two texts, and keeps the first exchange that raises the cost. Returns true if there is such an exchange.
   * Exchanges help because a rule that compares several texts in turn is most expensive if only the last text differs.
   */
  anySwap(dimensions: readonly Dimension[]): boolean {
    const fields = dimensions.filter(({ unit }) => unit === 'code points').map(({ field }) => field);
    for (const [i, one] of fields.entries())
      for (const other of fields.slice(i + 1)) {
        const { candidate } = this.best;
        const [first, second] = [contentOf(candidate, one), contentOf(candidate, other)];
        if (this.isOver || first.kind === second.kind) continue;
        const plan = candidate.plan.with(one, { filling: second }).with(other, { filling: first });
        if (this.#take({ ...candidate, plan })) return true;
      }
    return false;
  }

  #size(dimension: Dimension): number {
    return Math.max(1, sizeIn(this.best.candidate.plan, dimension));
  }

  /**
   * Returns the best candidate with a changed size in a dimension: the given size, or the schema's bound if it is smaller. Returns
   * undefined if the result is not larger than the current size.
   */
  #at(dimension: Dimension, size: number): Candidate | undefined {
    const { candidate } = this.best;
    const within = Math.min(dimension.most, size);
    return within <= sizeIn(candidate.plan, dimension) ? undefined : { ...candidate, plan: withSize(candidate.plan, dimension, within) };
  }

  #take(candidate: Candidate | undefined): boolean {
    if (candidate === undefined) return false;
    const trial = this.#whole.judge(candidate, this.#token);
    if (
      trial.kind !== 'judged' ||
      !isReportable(trial) ||
      trial.evaluations === 0 ||
      trial.cost <= this.cost ||
      trial.bytes > this.#maxBytes
    )
      return false;
    this.best = { candidate, trial };
    return true;
  }
}

/** Largest size that is tried. If the definition accepts it, only the schema's keywords count as limits of the size. */
const MAX_TRIED = 4096;
const MAX_EVALUATIONS = 30;

/**
 * Returns the dimensions with upper bounds that other rules allow. For example, a rule may limit the length of a text that has no `maxLength`.
 * Each size is raised alone in a copy of an accepted object with small sizes. Returns the dimensions unchanged if the definition does not accept the object.
 */
export function allowedSizes(
  whole: WholeObject,
  from: Candidate,
  dimensions: readonly Dimension[],
  token: CancellationToken | undefined,
): readonly Dimension[] {
  const isAllowed = (candidate: Candidate): boolean => {
    const trial = whole.judge(candidate, token);
    return trial.kind === 'judged' && (trial.isAccepted || trial.isOnlyTooExpensive);
  };
  if (!isAllowed(from)) return dimensions;
  return dimensions.map((dimension) => {
    const at = (size: number): Candidate => ({ ...from, plan: withSize(from.plan, dimension, size) });
    const [low, high] = [sizeIn(from.plan, dimension), Math.min(MAX_TRIED, dimension.most)];
    if (high <= low || isAllowed(at(high))) return dimension;
    const point = firstOver((size) => !isAllowed(at(size)), { low, high, maxEvaluations: MAX_EVALUATIONS });
    return { ...dimension, most: point.kind === 'found' ? Math.max(low, point.size - 1) : low };
  });
}
