import type { Ending, Line } from './clients.ts';
import { FaultTotals } from './fault-totals.ts';
import { digestOf, POISON } from './subjects.ts';

/**
 * The result of a fault run: numbers of evaluations by the way in which they ended (`whole`: with all verdicts), and the violations of
 * invariants.
 */
export interface InvariantReport {
  readonly evaluations: number;
  readonly whole: number;
  /**
   * Number of evaluations that ended without all verdicts in a way that the client noticed. These are refusals, broken or refused
   * connections, and evaluations that the client cancelled.
   */
  readonly told: number;
  /** Number of items that ended without a verdict but with a reason. */
  readonly unjudged: number;
  readonly violations: readonly string[];
}

/**
 * Outcomes of items without a verdict. `cancelled` items were stopped at a deadline. `notEvaluated` items were given up because consumers
 * were lost repeatedly.
 */
const UNJUDGED: ReadonlySet<unknown> = new Set(['cancelled', 'notEvaluated']);
/**
 * Status codes with which an item may end without a verdict. They report a passed deadline (408), an internal error after lost consumers
 * (500), or a loss in Redis (503).
 */
const EXCUSED: ReadonlySet<unknown> = new Set([408, 500, 503]);

/** Returns true if the end of an evaluation reports that Redis lost the evaluation. */
function saysLost({ end, code, why, lines }: Ending): boolean {
  if (lines.some((line) => (line['status'] as { code?: number } | undefined)?.code === 503)) return true;
  return end === 'refused' && (code === 404 || (code === 503 && why?.includes('lost') === true));
}

/** Period in which Redis lost data, in ms of `performance.now()`. */
interface Loss {
  readonly from: number;
  until: number;
}

/** Check that compares the ends of all evaluations with a run without faults: no verdict may be lost, duplicated or wrong. */
export class InvariantCheck {
  readonly #digests: ReadonlyMap<number, string>;
  /** Totals of all endings and all violations, by pair of faults. */
  readonly totals = new FaultTotals();
  readonly #violations: string[] = [];
  readonly #losses: Loss[] = [];
  readonly #counts = { evaluations: 0, whole: 0, told: 0, unjudged: 0 };
  /** Number of poison objects that got no verdict because they exhausted the memory of the thread that read them. */
  poisoned = 0;

  /** @param digests digest of the expected verdict, by number of the subject (an object that clients send, or a rule of a study) */
  constructor(digests: ReadonlyMap<number, string>) {
    this.#digests = digests;
  }

  /** Records that Redis loses data from now on. The returned function records the end of this period. */
  losing(): () => void {
    const loss: Loss = { from: performance.now(), until: Infinity };
    this.#losses.push(loss);
    return () => (loss.until = performance.now());
  }

  /** Checks an evaluation that has just ended against the invariants. */
  add(ending: Ending): void {
    this.#counts.evaluations += 1;
    this.totals.add(ending);
    const name = `${ending.client} of ${ending.subjects.length} (${ending.seconds.toFixed(1)} s)`;
    if (ending.end === 'hung') this.complain(`lost: ${name}: no end within its time, ${ending.lines.length} verdicts`);
    else if (ending.end === 'whole') this.#counts.whole += 1;
    else this.#counts.told += 1;
    const began = performance.now() - ending.seconds * 1000;
    if (saysLost(ending) && !this.#losses.some(({ until }) => until >= began))
      this.complain(`lost: ${name}: told that it was lost, and Redis had lost nothing since it began`);
    ending.lines.forEach((line, place) => this.#item(name, ending, line, place));
  }

  #item(name: string, { subjects }: Ending, line: Line, place: number): void {
    const index = Number(line['index']);
    if (index !== place) {
      this.complain(`doubled or out of order: ${name}: index ${index} at place ${place}`);
      return;
    }
    if (UNJUDGED.has(line['outcome'])) {
      this.#counts.unjudged += 1;
      if (subjects[index] === POISON) this.poisoned += 1;
      const code = (line['status'] as { code?: number } | undefined)?.code;
      if (!EXCUSED.has(code)) this.complain(`unexplained: ${name}: item ${index} ended as ${String(line['outcome'])} with ${String(code)}`);
      return;
    }
    const subject = subjects[index];
    // The memory may suffice for this object after all, so any verdict on it is correct.
    if (subject === POISON) return;
    if (subject === undefined || digestOf(line) !== this.#digests.get(subject))
      this.complain(`wrong: ${name}: item ${index}: ${JSON.stringify(line).slice(0, 200)}`);
  }

  /** Records a violation of an invariant. */
  complain(violation: string): void {
    this.totals.complain(violation);
    this.#violations.push(violation);
  }

  get result(): InvariantReport {
    return { ...this.#counts, violations: this.#violations };
  }
}
