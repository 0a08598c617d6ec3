import type { JsonObject } from '#go';
import { behaviourOf } from '../../minors/validation-behaviour.ts';
import type { CompiledRules } from '../../rules/compiled-rules.ts';
import { priceTrueRules, isTransition, selectRules } from '../../rules/price-true-rules.ts';
import type { EvaluationBounds } from '../../rules/price-true-rules.ts';
import type { ServedVersion } from '../served-version.ts';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import { KINDS } from '../openapi/kind.ts';
import { describesWhole, fieldNode } from './reader-node.ts';
import { AnyValue } from './read-anything.ts';
import type { ReaderNode } from './reader-node.ts';

/**
 * Checks of an update that remain after a generated schema reader accepted the new object without regard to the old object.
 *
 * If the definition has a status subresource, the update keeps the old status. The remaining checks concern this kept status, the rules at
 * the root of the schema, which can read it, and the rules with `oldSelf`. No other check needs the old object, because elsewhere the old
 * object could only excuse errors.
 */
export class RemainingUpdateChecks {
  readonly #status: AnyValue | undefined;
  readonly #root: CompiledRules | undefined;
  /**
   * Rules that remain to be evaluated after a reader accepted the new object; null if there are none, and undefined before they are first
   * needed.
   */
  #rules: CompiledRules | undefined | null;

  private constructor(status: AnyValue | undefined, root: CompiledRules | undefined) {
    this.#status = status;
    this.#root = root;
  }

  /**
   * Returns the checks of a version that remain after a reader accepted the new object. Returns undefined if keywords of the root or of
   * metadata would have to be checked again.
   */
  static of(version: ServedVersion, node: ReaderNode): RemainingUpdateChecks | undefined {
    const metadata = node.props.properties?.get('metadata');
    const restricts = metadata !== undefined && keywordsAbout(metadata, KINDS.object).some(({ contents }) => contents !== true);
    if (restricts || describesWhole(node.props)) return undefined;
    const status = version.hasStatus ? fieldNode(node, 'status') : undefined;
    return new RemainingUpdateChecks(status && new AnyValue(status, behaviourOf(version.minor), version.wording), version.rules);
  }

  /**
   * Returns the cost of the remaining rules in cost units if everything is valid. Returns undefined if the exact validation must validate
   * the update. Throws `Cancelled`.
   */
  judge(updated: JsonObject, old: JsonObject, bounds: EvaluationBounds): number | undefined {
    const status = this.#status === undefined ? undefined : updated['status'];
    if (status !== undefined && this.#status?.meetsSchema(status, bounds.token) !== true) return undefined;
    const rules = this.#remainingRules;
    return rules === undefined ? 0 : priceTrueRules(rules, updated, old, bounds);
  }

  get #remainingRules(): CompiledRules | undefined {
    this.#rules ??= (this.#root && remainingRules(this.#root, this.#status !== undefined)) ?? null;
    return this.#rules ?? undefined;
  }
}

/**
 * Returns the remaining rules: all rules of the root and of a kept status, and from all other nodes only the rules with `oldSelf`.
 * Undefined if no rules remain.
 */
function remainingRules(root: CompiledRules, keepsStatus: boolean): CompiledRules | undefined {
  const properties = root.properties.flatMap(([name, child]) => {
    const chosen = keepsStatus && name === 'status' ? child : selectRules(child, isTransition);
    return chosen === undefined ? [] : [[name, chosen] as const];
  });
  if (root.rules.length === 0 && properties.length === 0) return undefined;
  const { rules, error, schema, valueSchema, usesOldSelf } = root;
  return { rules, error, schema, valueSchema, usesOldSelf, properties, items: undefined, additionalProperties: undefined, allOf: [] };
}
