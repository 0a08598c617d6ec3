import type { CancellationToken, JsonValue } from '#go';
import type { CompiledRules } from '../../rules/compiled-rules.ts';
import { priceTrueRules, isStateless, selectRules } from '../../rules/price-true-rules.ts';
import { EMPTY_STRUCTURAL } from '../../structural/from-schema.ts';
import { hasDefaults, hasListTypes } from '../../structural/structural.ts';
import type { Structural } from '../../structural/structural.ts';
import type { MetaWording } from '#kube';
import type { ValidationBehaviour } from '../openapi/schema-walk.ts';
import { coerceEmbedded } from '../write/coerce-object.ts';
import { applyDefaults, pruneNulls } from '../write/default.ts';
import { validateEmbedded } from '../write/embedded.ts';
import { validateListTypes } from '../write/list-types.ts';
import { Polls } from '../write/polls.ts';
import { prune } from '../write/prune.ts';
import { keywordCheck, holdsEmbedded } from './reader-node.ts';
import type { KeywordCheck, ReaderNode } from './reader-node.ts';
import type { ReaderRun } from './reader-run.ts';

/**
 * Reader of values for which no code is generated: embedded resources, fields without a type, long lists of scalars. It parses a value
 * without its schema. It then prunes, defaults and validates the value in the server's order. If a step finds an error, the reader discards
 * the error and gives no verdict. The exact validation, which uses no generated code, then validates the whole object again.
 */
export class AnyValue {
  readonly #node: ReaderNode;
  readonly #check: KeywordCheck;
  readonly #wording: MetaWording;
  readonly #holdsEmbedded: boolean;
  /**
   * Schema of an object with this node as its only field. It is used for pruning, because pruning keeps some unknown fields at the root of
   * a resource.
   */
  readonly #asField: Structural;
  /**
   * Rules without `oldSelf`, which an update evaluates when the object is read. It is null if there are none, and undefined before they are
   * first needed.
   */
  #stateless: CompiledRules | undefined | null;

  constructor(node: ReaderNode, behaviour: ValidationBehaviour, wording: MetaWording) {
    this.#node = node;
    this.#check = keywordCheck(node.props, behaviour);
    this.#wording = wording;
    this.#holdsEmbedded = holdsEmbedded(node);
    this.#asField = { ...EMPTY_STRUCTURAL, type: 'object', properties: new Map([['value', node.structural]]) };
  }

  /** Reads the value at the cursor of `run`. Returns undefined if the exact validation must validate the value. */
  read(run: ReaderRun): JsonValue | undefined {
    const value = run.cursor.value();
    if (value === undefined) return undefined;
    const settled = this.settle(value);
    return settled !== undefined && this.meetsSchema(settled, run.token) && this.passesRules(settled, run) ? settled : undefined;
  }

  /**
   * Converts a value to the form that its schema defines: removes nulls that the schema does not allow, and fills defaults. Returns
   * undefined if the value has unknown fields or malformed embedded metadata.
   */
  settle(value: JsonValue): JsonValue | undefined {
    const { structural } = this.#node;
    const field = { value };
    if (prune(field, this.#asField).length > 0) return undefined;
    if (typeof value === 'object' && value !== null) {
      pruneNulls(value, structural);
      if (this.#holdsEmbedded) {
        const coerced = coerceEmbedded(undefined, value, structural, 'reject');
        if (!coerced.ok || coerced.unknownFields.length > 0) return undefined;
      }
      if (hasDefaults(structural)) applyDefaults(value, structural);
    }
    return value;
  }

  /** Returns true if a value is valid under its keywords and list types, and if the metadata of its embedded resources is valid. */
  meetsSchema(value: JsonValue, token?: CancellationToken): boolean {
    const { structural } = this.#node;
    if (value === null && !structural.nullable) return false;
    if (!this.#check(value, token)) return false;
    if (this.#holdsEmbedded && validateEmbedded(undefined, value, structural, this.#wording).length > 0) return false;
    return !hasListTypes(structural) || validateListTypes(value, structural, new Polls(token)).length === 0;
  }

  /** Returns true if the rules of a value and of all values inside it are true, and adds their cost to the costs in `run`. */
  passesRules(value: JsonValue, run: ReaderRun): boolean {
    const rules = run.isUpdate ? this.#statelessRules : this.#node.rules;
    if (rules === undefined) return true;
    const cost = priceTrueRules(rules, value, undefined, { costLimit: run.costLimit, budget: run.budget - run.cost, token: run.token });
    if (cost === undefined) return false;
    run.cost += cost;
    return true;
  }

  get #statelessRules(): CompiledRules | undefined {
    const { rules } = this.#node;
    this.#stateless ??= (rules && selectRules(rules, isStateless)) ?? null;
    return this.#stateless ?? undefined;
  }
}
