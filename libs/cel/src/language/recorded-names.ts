import { memoizeWeak } from '#go';
import { isDated } from '../minors.ts';
import { TYPE_NAMES } from '../values/types/type-names.ts';
import type { Declarations } from './check/declarations.ts';
import type { Environment } from './environment.ts';
import type { FunctionDeclaration } from '../library/define.ts';
import type { CelType } from '../values/types/type.ts';

const DATED_TYPES: ReadonlySet<string> = new Set(
  TYPE_NAMES.filter((one) => isDated(one) || one.typeSince !== undefined).map(({ name }) => name),
);

const datedFunctionsOf = memoizeWeak(
  (library: readonly FunctionDeclaration[]): ReadonlySet<string> =>
    new Set(library.filter(({ overloads }) => overloads.some(isDated)).map(({ name }) => name)),
);

/**
 * Markers that are recorded if the checker reads a setting that differs between environments: `keywordFields`, `checksFormats` or
 * `typesUnify`. They are recorded in the same list as names, and no expression can contain them as names.
 */
export const KEYWORD_FIELDS = '(keyword fields)';
export const CHECKED_FORMATS = '(checked formats)';
export const UNIFIED_TYPES = '(unified types)';
const NONE: readonly string[] = [];

/**
 * Declarations that the type checker looks up, with a record of the look-ups whose result may differ in another environment. The record
 * contains functions and types that depend on the Kubernetes minor version, and settings of the checker. The spelling of type names in
 * errors is not recorded, because errors are not shared between environments.
 */
export class RecordedNames implements Declarations {
  readonly naming: Declarations['naming'];
  readonly #declarations: Declarations;
  readonly #dated: ReadonlySet<string>;
  #lookedUp: Set<string> | undefined;

  constructor(declarations: Declarations, { library }: Environment) {
    this.naming = declarations.naming;
    this.#declarations = declarations;
    this.#dated = datedFunctionsOf(library);
  }

  /** Requested names whose declaration depends on the Kubernetes minor version. */
  get names(): readonly string[] {
    return this.#lookedUp === undefined ? NONE : [...this.#lookedUp];
  }

  get keywordFields(): boolean {
    this.#note(KEYWORD_FIELDS);
    return this.#declarations.keywordFields;
  }

  get checksFormats(): boolean {
    this.#note(CHECKED_FORMATS);
    return this.#declarations.checksFormats;
  }

  /** The names for suggestions are not recorded, because errors are not shared between environments. */
  get catalog(): Declarations['catalog'] {
    return this.#declarations.catalog;
  }

  get typesUnify(): boolean {
    this.#note(UNIFIED_TYPES);
    return this.#declarations.typesUnify;
  }

  variable(name: string): ReturnType<Declarations['variable']> {
    if (DATED_TYPES.has(name)) this.#note(name);
    return this.#declarations.variable(name);
  }

  message(name: string): ReturnType<Declarations['message']> {
    return this.#declarations.message(name);
  }

  function(name: string): ReturnType<Declarations['function']> {
    const plain = name.startsWith('.') ? name.slice(1) : name;
    if (this.#dated.has(plain)) this.#note(plain);
    return this.#declarations.function(name);
  }

  #note(name: string): void {
    (this.#lookedUp ??= new Set()).add(name);
  }
}

const NO_VARIABLES: ReadonlyMap<string, CelType> = new Map();

/**
 * Returns true if the names have the same meaning for the checker in both environments. If so, a result of the checker for a syntax tree is
 * valid in both environments.
 */
export function agreeOn(names: readonly string[], one: Environment, other: Environment): boolean {
  if (one === other) return true;
  if (one.library !== other.library || one.messages !== other.messages) return false;
  if (names.length === 0) return true;
  const [a, b] = [one.declarations(NO_VARIABLES), other.declarations(NO_VARIABLES)];
  return names.every((name) => {
    if (name === KEYWORD_FIELDS) return a.keywordFields === b.keywordFields;
    if (name === UNIFIED_TYPES) return a.typesUnify === b.typesUnify;
    if (name === CHECKED_FORMATS) return a.checksFormats === b.checksFormats;
    return a.function(name) === b.function(name) && a.variable(name) === b.variable(name);
  });
}
