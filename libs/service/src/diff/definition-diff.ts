import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { groupOf, MINORS } from '#kube';
import type { Minor, SchemaChange } from '#kube';
import { countEffect, definitionText, definitionWrite, emptyImpact, inMinor, readSlice, serverOf } from '#documents';
import type {
  DefinitionReport,
  DefinitionSlice,
  DocumentSlice,
  EvaluationOptions,
  ExplainedDefinition,
  Impact,
  ObjectEffect,
} from '#documents';
import type { Engine } from '../ports.ts';
import { asSingleBlock } from '../evaluate/cut-runs.ts';
import { compareStates, whatIf } from '../what-if/what-if.ts';

/**
 * Change of a rule's estimated cost between two states of a definition. Costs are decimal texts in cost units. A cost is undefined if the
 * rule does not exist in the state to which the cost belongs.
 */
export interface RulePriceChange {
  readonly version: string;
  readonly path: string;
  readonly rule: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** True if the rule does not compile in the newer state of the definition. */
  readonly broken: boolean;
  /** Cost in `after`, divided by the cost limit of one rule. A server refuses the rule if the value exceeds 1. */
  readonly factor: number | undefined;
}

/** Changes of one definition between two states. */
export interface DefinitionDiff {
  readonly name: string;
  readonly state: 'added' | 'removed' | 'changed';
  readonly changes: readonly SchemaChange[];
  /** Report on a server's verdict on the change of the definition, or on a new definition; undefined for a removed definition. */
  readonly report?: DefinitionReport;
  /** Rules whose estimated cost changed, with the highest cost first. */
  readonly prices: readonly RulePriceChange[];
  /**
   * Kubernetes minor versions whose servers accept only the older or only the newer state of the definition. Servers in `refused` accept
   * only the older state, and servers in `mended` only the newer state.
   */
  readonly minors: { readonly refused: readonly Minor[]; readonly mended: readonly Minor[] };
  /** Effect of the change on the objects; undefined if the change is refused, or if there are no objects of the kind. */
  readonly impact?: Impact;
  /** Effects on affected objects. `index` is the position of the object among the objects in the request. */
  readonly objects: readonly ObjectEffect[];
}

/**
 * Input of a comparison of definitions: the older definitions (`from`), the newer definitions (`to`), and objects that are stored under the
 * older definitions.
 */
export interface DiffDocuments {
  readonly from: readonly DefinitionSlice[];
  readonly to: readonly DefinitionSlice[];
  readonly objects: readonly DocumentSlice[];
}

/**
 * Compares the old definitions (`documents.from`) with the new definitions (`documents.to`), pair by pair with the same name. For each
 * pair, computes the verdict on the change and its effects on the stored objects, and estimates the costs of the rules. Leaves out
 * definitions that do not differ.
 */
export async function definitionDiffs(engine: Engine, documents: DiffDocuments, options: EvaluationOptions): Promise<DefinitionDiff[]> {
  const [from, to] = [namedDefinitions(documents.from), namedDefinitions(documents.to)];
  const names = [...new Set([...from.keys(), ...to.keys()])].sort();
  const diffs: DefinitionDiff[] = [];
  for (const name of names) {
    const diff = await new DefinitionComparison(engine, options, documents.objects).compare(name, from.get(name), to.get(name));
    if (diff !== undefined) diffs.push(diff);
  }
  return diffs;
}

/** Definition that was parsed: its bytes and its value. */
interface ReadDefinition {
  readonly slice: DefinitionSlice;
  readonly value: JsonObject;
}

function namedDefinitions(slices: readonly DefinitionSlice[]): ReadonlyMap<string, ReadDefinition> {
  return new Map(
    slices.flatMap((slice) => {
      const reading = readSlice(slice);
      const value = reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
      const name = value && isJsonObject(value['metadata']) ? value['metadata']['name'] : undefined;
      return value && typeof name === 'string' ? [[name, { slice, value }] as const] : [];
    }),
  );
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

  async compare(name: string, from: ReadDefinition | undefined, to: ReadDefinition | undefined): Promise<DefinitionDiff | undefined> {
    const nothing = { changes: [], prices: [], minors: { refused: [], mended: [] }, objects: [] };
    if (to === undefined) return { name, state: 'removed', ...nothing };
    if (from === undefined) {
      const explained = await this.#explain(to);
      return {
        name,
        state: 'added',
        ...nothing,
        ...(explained && { report: explained.report }),
        prices: priceChanges(undefined, explained),
      };
    }
    const server = serverOf(this.#options);
    const change = { from: definitionText(from.slice, server), to: definitionText(to.slice, server), options: this.#options };
    if (change.from.digest === change.to.digest) return undefined;
    const [judged, before, after] = await Promise.all([compareStates(this.#engine, change), this.#explain(from), this.#explain(to)]);
    const { report, changes = [] } = judged ?? {};
    const prices = priceChanges(before, after);
    const minors = await this.#minors(from, to);
    const harmless = changes.length === 0 && prices.length === 0 && report?.accepted === true;
    if (harmless && minors.refused.length + minors.mended.length === 0) return undefined;
    const effects = report?.accepted === true ? await this.#effects(change, to) : undefined;
    return { name, state: 'changed', changes, ...(report && { report }), prices, minors, objects: [], ...effects };
  }

  async #explain({ slice }: ReadDefinition): Promise<ExplainedDefinition | undefined> {
    const definition = definitionText(slice, serverOf(this.#options));
    const answer = await this.#engine.run({ kind: 'explain', definition, ...definitionWrite(definition, this.#options) });
    return answer.kind === 'done' ? answer.result.explained : undefined;
  }

  /**
   * For each Kubernetes minor version, checks whether its server accepts the creation of the definition in each of the two states. Returns
   * the minor versions that accept only one state.
   */
  async #minors(from: ReadDefinition, to: ReadDefinition): Promise<DefinitionDiff['minors']> {
    const accepted = async ({ slice }: ReadDefinition, minor: Minor): Promise<boolean> => {
      const definition = definitionText(slice, serverOf(inMinor(this.#options, minor)));
      const answer = await this.#engine.run({ kind: 'judge', definition, rules: false, ...definitionWrite(definition, this.#options) });
      return answer.kind === 'done' && answer.result.report.accepted;
    };
    const judged = await Promise.all(
      MINORS.map(async (minor) => ({ minor, before: await accepted(from, minor), after: await accepted(to, minor) })),
    );
    const minorsWith = (before: boolean): Minor[] =>
      judged.filter((one) => one.before === before && one.after === !before).map(({ minor }) => minor);
    return { refused: minorsWith(true), mended: minorsWith(false) };
  }

  async #effects(
    change: Parameters<typeof whatIf>[1],
    { value }: ReadDefinition,
  ): Promise<Pick<DefinitionDiff, 'impact' | 'objects'> | undefined> {
    const own = this.#objects.map((slice, index) => ({ slice, index })).filter(({ slice }) => isOf(slice, value));
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

/**
 * Returns the changes of rule costs. Rules have no names and their positions change. They are therefore matched by version, path without
 * list index, and text.
 */
function priceChanges(before: ExplainedDefinition | undefined, after: ExplainedDefinition | undefined): RulePriceChange[] {
  const keyOf = ({ version, rule, path }: { version: string; rule: string; path: string }): string =>
    JSON.stringify([version, rule, path.replace(/\[\d+\]$/, '')]);
  const old = new Map((before?.rules ?? []).map((rule) => [keyOf(rule), rule]));
  const now = new Map((after?.rules ?? []).map((rule) => [keyOf(rule), rule]));
  const changed = [...new Set([...now.keys(), ...old.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)];
    const one = is ?? was;
    if (one === undefined || was?.totalCost === is?.totalCost) return [];
    const { version, path, rule } = one;
    const priced = is?.error === undefined ? is : undefined;
    return [
      { version, path, rule, before: was?.totalCost, after: priced?.totalCost, factor: priced?.factor, broken: is?.error !== undefined },
    ];
  });
  return changed.sort((a, b) => (b.factor ?? 0) - (a.factor ?? 0));
}
