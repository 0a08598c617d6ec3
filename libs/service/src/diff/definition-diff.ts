import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { EXPRESSION_COST_LIMIT, groupOf, MINORS } from '#kube';
import type { Minor, SchemaChange } from '#kube';
import { countEffect, definitionText, emptyImpact, readSlice, serverOf } from '#documents';
import type { DefinitionReport, DocumentSlice, EvaluationOptions, Impact, ObjectEffect } from '#documents';
import type { ByMinor } from '../matrix/compare-minors.ts';
import type { Engine } from '../ports.ts';
import { asSingleBlock } from '../evaluate/cut-runs.ts';
import { compareStates, whatIf } from '../what-if/what-if.ts';
import { estimateChanges } from './estimate-changes.ts';
import type { EstimateChange, EstimateChanges, RuleEstimates } from './estimate-changes.ts';
import type { MatchedRule, RuleState } from './match-rules.ts';
import { pairDefinitions } from './pair-documents.ts';
import type { DefinitionPair, ReadDefinition, SourcedDefinition } from './pair-documents.ts';

/**
 * Change of a rule's estimated cost between two states of a definition. Costs are decimal texts in cost units. A cost is undefined if the
 * rule does not exist in the state to which the cost belongs.
 */
export interface RulePriceChange {
  readonly version: string;
  readonly path: string;
  readonly rule: string;
  readonly state: RuleState;
  /** The rule in the older state, if its version, node or text differ. */
  readonly from?: MatchedRule;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** True if the rule does not compile in the newer state of the definition. */
  readonly broken: boolean;
  /** Cost in `after`, divided by the cost limit of one rule. A server refuses the rule if the value exceeds 1. */
  readonly factor: number | undefined;
  /** Costs on all minor versions. Absent if all minor versions estimate the rule equally. */
  readonly costs?: ByMinor<EstimateChange>;
}

/** Changes of one definition between two states. */
export interface DefinitionDiff {
  readonly name: string;
  /** Place of the newer state's document, or of the older one's for a removed definition. */
  readonly source: string;
  readonly state: 'added' | 'removed' | 'changed';
  readonly changes: readonly SchemaChange[];
  /** Report on a server's verdict on the change of the definition, or on a new definition; undefined for a removed definition. */
  readonly report?: DefinitionReport;
  /** Rules whose estimated cost changed on a minor version. The first rule has the highest cost on any minor version. */
  readonly prices: readonly RulePriceChange[];
  /** Estimates of both states on all minor versions. */
  readonly estimates: EstimateChanges;
  /**
   * Kubernetes minor versions whose servers accept only the older or only the newer state of the definition. Servers in `refused` accept
   * only the older state, and servers in `mended` only the newer state.
   */
  readonly minors: { readonly refused: readonly Minor[]; readonly mended: readonly Minor[] };
  /** Effect of the change on the objects; undefined if the change is refused, or if there are no objects of the kind. */
  readonly impact?: Impact;
  /** Number of objects of a removed definition. A server removes them with the definition. Absent if there are none. */
  readonly removedObjects?: number;
  /** Effects on affected objects. `index` is the position of the object among the objects in the request. */
  readonly objects: readonly ObjectEffect[];
}

/**
 * Input of a comparison of definitions: the older definitions (`from`), the newer definitions (`to`), and objects that are stored under the
 * older definitions.
 */
export interface DiffDocuments {
  readonly from: readonly SourcedDefinition[];
  readonly to: readonly SourcedDefinition[];
  readonly objects: readonly DocumentSlice[];
}

/**
 * Compares the old definitions (`documents.from`) with the new definitions (`documents.to`), pair by pair ({@link pairDefinitions}). For each
 * pair, computes the verdict on the change and its effects on the stored objects, and estimates the costs of the rules. Leaves out
 * definitions that do not differ.
 */
export async function definitionDiffs(engine: Engine, documents: DiffDocuments, options: EvaluationOptions): Promise<DefinitionDiff[]> {
  const diffs: DefinitionDiff[] = [];
  for (const pair of pairDefinitions(documents.from, documents.to)) {
    const diff = await new DefinitionComparison(engine, options, documents.objects).compare(pair);
    if (diff !== undefined) diffs.push(diff);
  }
  return diffs;
}

class DefinitionComparison {
  readonly #engine: Engine;
  readonly #options: EvaluationOptions;
  readonly #objects: readonly DocumentSlice[];

  constructor(engine: Engine, options: EvaluationOptions, objects: readonly DocumentSlice[]) {
    this.#engine = engine;
    this.#options = options;
    this.#objects = objects;
  }

  async compare({ name, from, to }: DefinitionPair): Promise<DefinitionDiff | undefined> {
    const server = serverOf(this.#options);
    const texts = { from: from && definitionText(from.slice, server), to: to && definitionText(to.slice, server) };
    if (texts.from?.digest === texts.to?.digest) return undefined;
    const estimates = await estimateChanges(this.#engine, { from: from?.slice, to: to?.slice }, this.#options);
    const prices = priceChanges(estimates, this.#options.kubernetesVersion);
    const known = { name, source: (to ?? from)?.source ?? '', changes: [], prices, minors: minorsOf(estimates), estimates, objects: [] };
    if (texts.to === undefined || to === undefined) {
      const removedObjects = from === undefined ? 0 : this.#objectsOf(from).length;
      return { ...known, state: 'removed', prices: [], ...(removedObjects > 0 && { removedObjects }) };
    }
    const { report: created } = estimates;
    if (texts.from === undefined) return { ...known, state: 'added', ...(created && { report: created }) };
    const change = { from: texts.from, to: texts.to, options: this.#options };
    const { report, changes = [] } = (await compareStates(this.#engine, change)) ?? {};
    const { refused, mended } = known.minors;
    const isHarmless = changes.length + prices.length === 0 && report?.accepted === true && !estimates.isIncomplete;
    if (isHarmless && refused.length + mended.length === 0 && !movesEstimates(estimates)) return undefined;
    const effects = report?.accepted === true ? await this.#effects(change, to) : undefined;
    return { ...known, state: 'changed', changes, ...(report && { report }), ...effects };
  }

  /** Returns the objects of a definition's kind, with their positions. */
  #objectsOf({ value }: ReadDefinition): readonly { readonly slice: DocumentSlice; readonly index: number }[] {
    return this.#objects.map((slice, index) => ({ slice, index })).filter(({ slice }) => isOf(slice, value));
  }

  async #effects(
    change: Parameters<typeof whatIf>[1],
    definition: ReadDefinition,
  ): Promise<Pick<DefinitionDiff, 'impact' | 'objects'> | undefined> {
    const own = this.#objectsOf(definition);
    if (own.length === 0) return undefined;
    const impact = emptyImpact();
    const objects: ObjectEffect[] = [];
    for await (const run of whatIf(this.#engine, change, asSingleBlock(own.map(({ slice }) => slice))))
      for (const effect of run) {
        countEffect(impact, effect);
        if (effect.effect !== 'unaffected') objects.push({ ...effect, index: own[effect.index]?.index ?? effect.index });
      }
    return { impact, objects };
  }
}

/** Returns true if a document is an object of a definition's kind, in any version. */
function isOf(slice: DocumentSlice, definition: JsonObject): boolean {
  const reading = readSlice(slice);
  if (!reading.ok || !isJsonObject(reading.value)) return false;
  const { apiVersion, kind } = reading.value;
  const spec = isJsonObject(definition['spec']) ? definition['spec'] : {};
  const names = isJsonObject(spec['names']) ? spec['names'] : {};
  return typeof apiVersion === 'string' && groupOf(apiVersion) === spec['group'] && kind === names['kind'];
}

/** Returns the minor versions that accept the creation of the definition in only one state. */
function minorsOf({ accepted }: EstimateChanges): DefinitionDiff['minors'] {
  const minorsWithOnly = (state: 'before' | 'after'): Minor[] =>
    MINORS.filter((minor) => accepted[minor]?.before === (state === 'before') && accepted[minor].after === (state === 'after'));
  return { refused: minorsWithOnly('before'), mended: minorsWithOnly('after') };
}

/** Returns true if an estimated cost of a rule differs before and after the change, on any minor version. */
const movesEstimates = ({ rules }: EstimateChanges): boolean =>
  rules.some(({ costs, messageCosts }) =>
    [costs, messageCosts].some((of) => MINORS.some((minor) => of[minor]?.before !== of[minor]?.after)),
  );

/**
 * Returns the rules whose estimated cost differs between the two states on a minor version. The first rule has the highest cost. `minor` is
 * the version whose costs each rule states first.
 */
function priceChanges({ rules }: EstimateChanges, minor: Minor): RulePriceChange[] {
  return rules
    .filter(({ costs }) => MINORS.some((one) => costs[one]?.before !== costs[one]?.after))
    .flatMap((rule): RulePriceChange[] => {
      const { state, version, path, rule: text, from, costs } = rule;
      if (state === 'only') return [];
      const { before, after } = costs[minor] ?? {};
      const factor = after === undefined ? undefined : Number(after) / Number(EXPRESSION_COST_LIMIT);
      const isEverywhere = MINORS.every((one) => costs[one]?.before === before && costs[one]?.after === after);
      const known = { version, path, rule: text, state, ...(from && { from }), before, after, factor, broken: isBroken(rule, minor) };
      return [isEverywhere ? known : { ...known, costs }];
    })
    .sort((a, b) => highest(b) - highest(a));
}

/** Returns the highest cost of a rule of the newer state on any minor version. */
const highest = ({ costs, after }: RulePriceChange): number =>
  Math.max(0, ...(costs === undefined ? [after] : MINORS.map((minor) => costs[minor]?.after)).map((cost = '0') => Number(cost)));

/** Returns true if a rule of the newer state does not compile on a minor version. */
const isBroken = ({ state, costs }: RuleEstimates, minor: Minor): boolean => state !== 'gone' && costs[minor]?.after === undefined;
