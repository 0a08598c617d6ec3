import type {
  BaseComparison,
  CompileFindings,
  CostFindings,
  CostsCell,
  PlacedFindings,
  RuleChange,
  RuleGrowth,
  RuleKey,
  SizeUnit,
  TimeFindings,
} from '#benchmark';
import type { DefinitionText, ExplainedRule } from '#documents';

/** Definition that contains a rule: its name (`definition`), and the location of its document (`source`), such as `crd.yaml#1`. */
export interface RulePlace {
  readonly definition: string;
  readonly source: string;
}

/** Rule to be studied (benchmarked), with all findings about it so far. */
export class RuleTask {
  readonly definition: string;
  readonly source: string;
  readonly text: DefinitionText;
  readonly explained: ExplainedRule;
  /** Rule of the older revision that this rule replaces; undefined if there is none. */
  readonly base: RuleTask | undefined;
  /** Equal rule in another version or in the newer revision, which is studied before this rule; undefined if there is none. */
  duplicateOf: RuleTask | undefined;
  costs: CostFindings | undefined;
  times: TimeFindings | undefined;
  comparison: BaseComparison | undefined;
  /** Effect of the change since the older revision on the rule; undefined if there is no older revision. */
  change: RuleChange | undefined;

  constructor(place: RulePlace, text: DefinitionText, explained: ExplainedRule, base?: RuleTask) {
    this.definition = place.definition;
    this.source = place.source;
    this.text = text;
    this.explained = explained;
    this.base = base;
  }

  get key(): RuleKey {
    return { version: this.explained.version, path: this.explained.path };
  }

  /**
   * Sizes of fields in the rule's first suggestion of schema bounds. Empty if there is no suggestion, or if the suggestion has a bound that
   * does not limit a size.
   */
  get suggestedSizes(): NonNullable<CostsCell['suggested']> {
    const bounds = this.explained.suggestions?.[0]?.bounds ?? [];
    const sizes = bounds.flatMap(({ path, keyword, suggested }) => {
      const unit = UNITS.get(keyword);
      return unit === undefined ? [] : [{ field: path, unit, size: suggested }];
    });
    return sizes.length === bounds.length ? sizes : [];
  }

  /**
   * Records the findings of a longer cost search, which searches the most expensive write of the rule. If the earlier search found a more
   * expensive write, a smaller size that a server refuses, or lower bounds that hold, these are kept.
   */
  takeCosts(later: CostFindings): void {
    const earlier = this.costs;
    if (earlier === undefined || earlier.notStudied !== undefined) this.costs = later;
    else if (later.notStudied === undefined)
      this.costs = {
        ...later,
        ...(isDearer(earlier, later) && costliestPart(earlier)),
        ...smallerEnd(earlier, later),
        ...lowerBounds(earlier, later),
      };
  }

  /** Writes that were found earlier, with which a longer search begins: the most expensive one, and the smallest that a limit refuses. */
  get hints(): CostsCell['hints'] {
    const { worst, budgetEndsAt } = this.costs ?? {};
    return [worst, budgetEndsAt].flatMap((found) => found?.plan ?? []);
  }

  /** Records time measurements. If earlier measurements exist that were not disturbed more, keeps the earlier measurements. */
  takeTimes(later: TimeFindings): void {
    if (this.times === undefined || (later.disturbed ?? 0) < (this.times.disturbed ?? 0)) this.times = later;
  }

  /**
   * Returns all findings about the rule so far. `reference` contains the measurements of the definition's compilation; undefined if there
   * are none.
   */
  findings(reference: CompileFindings | undefined): PlacedFindings {
    const { costs = NOT_REACHED, times, explained } = this;
    const { worst } = costs;
    const baseGrowth = this.base?.growth;
    const [first] = explained.suggestions ?? [];
    const ratio = worst && worst.cost > 0 ? Number(explained.totalCost) / worst.cost : undefined;
    return {
      definition: this.definition,
      source: this.source,
      ...this.key,
      rule: explained.rule,
      ...(explained.error === undefined && { estimate: { call: explained.maxCost, object: explained.totalCost } }),
      ...this.growth,
      ...(worst && { worst }),
      ...(ratio !== undefined && { estimateOverWorst: ratio }),
      ...(costs.obstacle !== undefined && { obstacle: costs.obstacle }),
      ...(costs.notStudied !== undefined && { notStudied: costs.notStudied }),
      isPartial: costs.isPartial,
      ...(this.#cutOff && { cutOff: this.#cutOff }),
      suggestedBounds: heldSuggestion(first?.bounds ?? [], costs),
      ...(costs.costAtSuggested !== undefined && { costAtSuggested: costs.costAtSuggested }),
      times: [...(times?.times ?? []).map((time) => besideMedian(time, reference)), ...(reference ? [reference.time] : [])],
      claims: times?.claims ?? [],
      ...(times && { serverTime: times.serverTime }),
      ...(times?.disturbed !== undefined && { disturbed: times.disturbed }),
      ...(this.comparison && { base: this.comparison }),
      ...(this.change && { change: this.change }),
      ...(baseGrowth && baseGrowth.growsWith.length > 0 && { baseGrowth }),
    };
  }

  /** Part of the study of the rule that its time did not suffice for, or that broke its thread; undefined if there is none. */
  get #cutOff(): PlacedFindings['cutOff'] {
    const { costs = NOT_REACHED, base, comparison } = this;
    if (costs.notStudied !== undefined) return costs.isPartial || costs === BROKEN_SEARCH ? 'study' : undefined;
    const isComparable = base !== undefined && (costs.worst !== undefined || base.costs === undefined || base.costs.isPartial);
    return isComparable && comparison === undefined ? 'comparison' : undefined;
  }

  /** Growth of the rule's cost. If the cost search is not complete, the growth may be incomplete, too. */
  get growth(): RuleGrowth {
    const { costs = NOT_REACHED, times } = this;
    const [steepest, ...others] = costs.growsWith;
    const series = times?.series ?? [];
    const exponent = series.find(({ engine }) => engine === JUDGING)?.exponent;
    return {
      growsWith: [
        ...(steepest ? [{ ...steepest, ...(exponent && { timeExponent: exponent }), times: series }] : []),
        ...others.map((other) => ({ ...other, times: [] })),
      ],
      ...(costs.growsTogether && { growsTogether: costs.growsTogether }),
      ...(costs.budgetEndsAt && { budgetEndsAt: costs.budgetEndsAt }),
    };
  }
}

/** Unit of each size that a schema keyword limits. */
const UNITS: ReadonlyMap<string, SizeUnit> = new Map([
  ['maxItems', 'items'],
  ['maxProperties', 'properties'],
  ['maxLength', 'code points'],
]);

type Time = PlacedFindings['times'][number];

/** Name that reports use for the engine with which Assay evaluates frequent expressions. */
const JUDGING = 'Assay compiled';
/** Findings about a rule whose search ended its thread. */
export const BROKEN_SEARCH: CostFindings = { growsWith: [], notStudied: 'its search ended the thread on which it ran', isPartial: false };
const NOT_REACHED: CostFindings = { growsWith: [], notStudied: 'the time was over before its turn', isPartial: true };

const isDearer = (a: CostFindings, b: CostFindings): boolean => (a.worst?.cost ?? -1) > (b.worst?.cost ?? -1);

/**
 * Returns the suggested bounds, lowered if a server would refuse the most expensive write that was found at them. Returns no bounds if not
 * even the lowest bounds suffice.
 */
function heldSuggestion(bounds: Suggestion['bounds'], { heldBounds }: CostFindings): PlacedFindings['suggestedBounds'] {
  if (heldBounds?.length === 0) return [];
  return bounds.map(({ path, keyword, suggested, value }) => ({
    field: path,
    keyword,
    suggested: heldBounds?.find(({ field, unit }) => field === path && unit === UNITS.get(keyword))?.size ?? suggested,
    before: value,
  }));
}

type Suggestion = NonNullable<ExplainedRule['suggestions']>[number];

/** Returns the earlier size that a limit refuses, if it is smaller than the later one, or if there is no later one. */
function smallerEnd({ budgetEndsAt: earlier }: CostFindings, { budgetEndsAt: later }: CostFindings): Partial<CostFindings> {
  if (earlier === undefined) return {};
  const isSameField =
    later !== undefined &&
    later.field === earlier.field &&
    later.unit === earlier.unit &&
    later.together?.join() === earlier.together?.join();
  return later === undefined || (isSameField && earlier.size < later.size) ? { budgetEndsAt: earlier } : {};
}

/** Returns the earlier bounds if a server refused more expensive writes at the later ones, or if there are no later ones. */
function lowerBounds(earlier: CostFindings, later: CostFindings): Partial<CostFindings> {
  const { heldBounds = [], costAtSuggested } = earlier;
  const isLower =
    earlier.heldBounds !== undefined &&
    (heldBounds.length === 0 ||
      later.heldBounds === undefined ||
      later.heldBounds.some(({ size }, i) => size > (heldBounds[i]?.size ?? Infinity)));
  return isLower ? { heldBounds, ...(costAtSuggested !== undefined && { costAtSuggested }) } : {};
}

/** Returns the findings that describe the most expensive write. */
function costliestPart({ worst, from, obstacle }: CostFindings): Partial<CostFindings> {
  return { ...(worst && { worst }), ...(from && { from }), ...(obstacle !== undefined && { obstacle }) };
}

function besideMedian(time: Time, reference: CompileFindings | undefined): Time {
  const unit = time.engine === 'Kubernetes in Go' ? undefined : reference?.nsPerUnit[time.engine];
  return time.nsPerUnit === undefined || unit === undefined ? time : { ...time, timesMedian: time.nsPerUnit / unit };
}
