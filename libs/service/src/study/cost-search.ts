import type { RuleTask } from './rule-task.ts';

/** Time in ms for each rule in the first round, factor by which each later round increases this time, and maximum number of rounds. */
const [FIRST_MS, LONGER, ROUNDS] = [60, 4, 5] as const;
/** Share of the remaining time that a round leaves for the rounds after it. The first round leaves nothing, because it is short. */
const LATER_ROUNDS = 0.6;
/** Approximate time in ms after which the first findings about every rule of a group should be available. */
const FIRST_ANSWER_MS = 1500;
/** Share of the time of a group that is reserved for rules that equal another rule. The other rule is searched first. */
const FOLLOWING = 0.15;
/** Share of the remaining time that rules of one group may use, if rules of a later group wait. */
const GROUP_SHARE = 0.7;
/** First round of a search that continues an earlier one: the short rounds would find nothing new. */
const LATE_ROUND = 2;

/** Time at which a search of rules ends, on the clock of `performance.now()`, and the round with which it begins. */
interface SearchTime {
  readonly until: number;
  readonly firstRound: number;
}

/** Search for the most expensive writes of many rules on several threads. It divides the time among the rules. */
export class CostSearch {
  readonly #threads: number;
  readonly #signal: AbortSignal | undefined;
  readonly #search: (task: RuleTask, ms: number) => Promise<void>;

  /**
   * @param signal Signal that ends the search.
   * @param search Searches one rule for a time in ms, and records the findings in the task.
   */
  constructor(threads: number, signal: AbortSignal | undefined, search: (task: RuleTask, ms: number) => Promise<void>) {
    this.#threads = threads;
    this.#signal = signal;
    this.#search = search;
  }

  /**
   * Searches groups of rules one after another until a time on the clock of `performance.now()`. The group with the lowest number comes
   * first.
   */
  async searchGroups(numbered: readonly (readonly [group: number, tasks: readonly RuleTask[]])[], until: number): Promise<void> {
    const groups = numbered.toSorted(([a], [b]) => a - b).map(([, tasks]) => tasks);
    for (const [i, tasks] of groups.entries()) {
      const left = until - performance.now();
      const isLast = i === groups.length - 1;
      await this.#searchGroup(tasks, { until: isLast ? until : performance.now() + GROUP_SHARE * left, firstRound: 0 });
    }
    // If the last group left time, the rules of earlier groups use it for longer searches.
    const unfinished = groups.slice(0, -1).flatMap((tasks) => tasks.filter(({ costs }) => costs?.isPartial !== false));
    await this.#searchGroup(unfinished, { until, firstRound: LATE_ROUND });
  }

  async #searchGroup(tasks: readonly RuleTask[], { until, firstRound }: SearchTime): Promise<void> {
    await this.#inRounds(
      tasks.filter(({ duplicateOf }) => duplicateOf === undefined),
      { until: until - FOLLOWING * (until - performance.now()), firstRound },
    );
    // Duplicate rules come later, because their searches find little that the search of the first rule has not found.
    await this.#inRounds(
      tasks.filter(({ duplicateOf }) => duplicateOf !== undefined),
      { until, firstRound },
    );
  }

  /**
   * Searches rules in rounds. The first round searches each rule for a short time. Later rounds search the unfinished rules for longer, one
   * after another. Each of them leaves time for the next round, which begins with the first unfinished rule again. So at least the searches
   * of the first rules are finished.
   */
  async #inRounds(tasks: readonly RuleTask[], { until, firstRound }: SearchTime): Promise<void> {
    let open = tasks;
    for (let round = firstRound; round < ROUNDS && open.length > 0 && !this.#isOver(until); round++) {
      const most = round === 0 ? Math.min(FIRST_MS, (FIRST_ANSWER_MS * this.#threads) / open.length) : FIRST_MS * LONGER ** round;
      let begun = 0;
      const ends = until - (round === 0 || round === ROUNDS - 1 ? 0 : LATER_ROUNDS * (until - performance.now()));
      await this.#inParallel(searchOrder(open), async (task) => {
        const left = until - performance.now();
        const waiting = open.length - begun++;
        if (performance.now() >= ends) return;
        const share = round === 0 ? (left * this.#threads) / waiting : left;
        await this.#search(task, Math.max(1, Math.min(most, share)));
      });
      open = open.filter(({ costs }) => costs?.isPartial !== false);
    }
  }

  #isOver(until: number): boolean {
    return this.#signal?.aborted === true || performance.now() >= until;
  }

  async #inParallel(tasks: readonly RuleTask[], work: (task: RuleTask) => Promise<void>): Promise<void> {
    const left = tasks.values();
    const worker = async (): Promise<void> => {
      for (const task of left) {
        if (this.#signal?.aborted === true) return;
        await work(task);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#threads, tasks.length) }, worker));
  }
}

/**
 * Returns rules in the order in which their most expensive writes are searched. Rules that an object of the user evaluates come first.
 * Otherwise, the rule with the highest estimate comes first. If the time is short, the most important searches are then finished.
 */
export function searchOrder(tasks: readonly RuleTask[]): readonly RuleTask[] {
  return tasks.toSorted((a, b) => Number(isReached(b)) - Number(isReached(a)) || compare(estimateOf(b), estimateOf(a)));
}

/** Returns true if an earlier search found that an object of the user evaluates the rule. */
const isReached = ({ costs }: RuleTask): boolean => costs?.isReached === true;

const estimateOf = ({ explained }: RuleTask): bigint => (explained.error === undefined ? BigInt(explained.totalCost) : -1n);

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
