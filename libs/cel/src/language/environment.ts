import { memoizeWeak } from '#go';
import type { Minor } from '#kube';
import { FUNCTIONS } from '../library/all.ts';
import { costVersion, withCorePrices } from '../library/cost-version.ts';
import type { CostVersion, FunctionDeclaration, Overload } from '../library/define.ts';
import { JSON_PATCH_FUNCTIONS } from '../library/kubernetes/json-patch.ts';
import { has, offers, releaseOf } from '../minors.ts';
import type { DifferenceName, Release } from '../minors.ts';
import type { MessageTypes } from '../values/messages/message-value.ts';
import { MUTATION_MESSAGES } from '../values/messages/mutation-messages.ts';
import { WELL_KNOWN_MESSAGES } from '../values/messages/well-known-messages.ts';
import { semanticsOf } from '../values/semantics.ts';
import type { Semantics } from '../values/semantics.ts';
import { TYPE_NAMES } from '../values/types/type-names.ts';
import type { TypeName } from '../values/types/type-names.ts';
import { typeOf, typeParameters } from '../values/types/type.ts';
import type { CelType } from '../values/types/type.ts';
import type { Declarations, DeclaredFunction, DeclaredOverload } from './check/declarations.ts';
import { SymbolCatalog } from './check/symbol-catalog.ts';
import { OPTIONAL_MACROS, SORT_BY, STANDARD_MACROS, TWO_VARIABLE_MACROS } from './syntax/macros.ts';
import { macroTable } from './syntax/syntax.ts';
import type { Macro, ReusedNode, Syntax } from './syntax/syntax.ts';

/**
 * Use of an expression: `new`, or `stored` if it is already stored in the cluster. A new expression may use only features that the previous
 * Kubernetes minor version also has.
 */
export type ExpressionUse = 'new' | 'stored';

/**
 * The CEL language of one Kubernetes minor version: syntax, functions, types and costs. Source:
 * k8s.io/apiserver/pkg/cel/environment/{base,environment}.go (1.37).
 */
export interface Environment {
  readonly minor: Minor;
  readonly use: ExpressionUse;
  readonly syntax: Syntax;
  /** All function declarations of the library. This Kubernetes minor version offers only the functions in `functions`. */
  readonly library: readonly FunctionDeclaration[];
  /**
   * Functions that the environment offers, by name. Two environments that offer a function with the same overloads share one object for it.
   */
  readonly functions: ReadonlyMap<string, DeclaredFunction>;
  /** Message types whose literals may occur in an expression. */
  readonly messages: MessageTypes;
  /** Run-time behaviour of values that differs between Kubernetes minor versions. */
  readonly semantics: Semantics;
  readonly costs: CostVersion;
  /** Returns the declarations of this environment together with the given variables. */
  declarations(variables: ReadonlyMap<string, CelType>): Declarations;
}

/** Macros that only later Kubernetes minor versions have, by the entry of `DIFFERENCES` that introduced them. */
const LATER_MACROS: readonly { readonly change: 'optionals' | 'twoVariableMacros' | 'sortByMacro'; readonly macros: readonly Macro[] }[] = [
  { change: 'optionals', macros: OPTIONAL_MACROS },
  { change: 'twoVariableMacros', macros: TWO_VARIABLE_MACROS },
  { change: 'sortByMacro', macros: [SORT_BY] },
];

/** Returns the entries of `DIFFERENCES` that introduced the macro with a key. Returns an empty list if all versions have it. */
export const changesOfMacro = (key: string): readonly ('optionals' | 'twoVariableMacros' | 'sortByMacro')[] =>
  LATER_MACROS.flatMap(({ change, macros }) => (macroTable(macros).has(key) ? [change] : []));

/**
 * Nodes that macros of older Kubernetes minor versions use in several positions. Since the given entry of `DIFFERENCES`, the macros copy
 * the node instead.
 */
const NO_LONGER_REUSED: readonly (readonly [ReusedNode, DifferenceName])[] = [
  ['accumulator', 'accumulatorIsCopied'],
  ['one', 'oneIsCopied'],
  ['target', 'targetIsCopied'],
];

/**
 * Creates the CEL environment (functions, types and costs) of a Kubernetes minor version for new or stored expressions (`use`). It contains
 * those functions of `available` that the minor version offers for this use.
 */
export function makeEnvironment(
  available: readonly FunctionDeclaration[],
  minor: Minor,
  use: ExpressionUse,
  messages: MessageTypes = WELL_KNOWN_MESSAGES,
): Environment {
  const release = releaseOf(minor, use);
  const semantics = semanticsOf(minor);
  const functions = declaredFunctions(available, (overload) => offers(release, overload));
  const syntax = syntaxOf(release);
  const catalogOf = (variables: Iterable<string>): SymbolCatalog =>
    new SymbolCatalog([...variables, ...functions.keys(), ...[...syntax.macros.values()].map(({ name }) => name)]);
  const types = new Map(
    typeNamesOf(release).map(({ name, type, typeSince = 0 }) => [name, typeSince > release.server ? type : typeOfOnce(type)]),
  );
  return {
    minor,
    use,
    library: available,
    syntax,
    functions,
    messages,
    semantics,
    costs: costVersion(minor),
    declarations: (variables) => ({
      variable: (name) => variables.get(name) ?? types.get(name) ?? typeOfMessage(messages, name),
      message: messages,
      function: (name) => functions.get(name.startsWith('.') ? name.slice(1) : name),
      typesUnify: has(release, 'typesOfTypesUnify'),
      keywordFields: has(release, 'keywordFields'),
      naming: semantics,
      checksFormats: has(release, 'formatsAreChecked'),
      catalog: has(release, 'namesAreSuggested') ? () => catalogOf(variables.keys()) : undefined,
    }),
  };
}

/** Returns the type `type(T)` for a type `T`. Equal types share one object, so that environments can be compared. */
const typeOfOnce = memoizeWeak((type: CelType) => typeOf(type));

/** Returns the type `type(M)` for the name of a message `M`. Returns undefined if the message does not exist. */
function typeOfMessage(messages: MessageTypes, name: string): CelType | undefined {
  const message = messages(name);
  return message && typeOfOnce(message.valueType ?? message.type);
}

/** Cache of syntaxes, by their properties. Equal syntaxes are shared, no matter which syntax is requested first. */
const syntaxes = new Map<string, Syntax>();

/**
 * Returns the syntax of a release, which is a pair of server version and compatibility version. Equal syntaxes share one object. Therefore,
 * the syntax tree of a new expression can be reused when the same expression is stored, and for other Kubernetes minor versions.
 */
function syntaxOf(release: Release): Syntax {
  const later = LATER_MACROS.filter(({ change }) => has(release, change));
  const optionals = has(release, 'optionals');
  const flags: Omit<Syntax, 'macros' | 'reuses'> = {
    optionals,
    quotedIdentifiers: has(release, 'quotedIdentifiers'),
    readsAnyCodePoint: !has(release, 'codePointsAreChecked'),
    lacksBackTicks: !has(release, 'backTicks'),
    spellsAccumulator: !has(release, 'accumulatorIsHidden'),
    misplacesLineStarts: !has(release, 'lineStartsBelong'),
  };
  const reuses = NO_LONGER_REUSED.filter(([, change]) => !has(release, change)).map(([node]) => node);
  const key = [later.map(({ change }) => change), Object.values(flags), reuses].join(';');
  const known = syntaxes.get(key);
  if (known !== undefined) return known;
  const macros = macroTable([...STANDARD_MACROS, ...later.flatMap((one) => one.macros)]);
  const syntax: Syntax = { ...flags, macros, reuses: new Set(reuses) };
  syntaxes.set(key, syntax);
  return syntax;
}

function typeNamesOf({ server, compatibility }: Release): TypeName[] {
  return TYPE_NAMES.filter(
    ({ since, binarySince = 0, replacedIn = Infinity }) => since <= compatibility && binarySince <= server && server < replacedIn,
  );
}

/** Returns functions by name, each with its available overloads. Declarations with the same name are merged into one function. */
function declaredFunctions(
  declarations: readonly FunctionDeclaration[],
  isAvailable: (overload: Overload) => boolean,
): ReadonlyMap<string, DeclaredFunction> {
  const functions = new Map<string, DeclaredFunction & { overloads: DeclaredOverload[] }>();
  for (const { name, literalArgument, guard, measure, overloads } of declarations) {
    const available = overloads.filter(isAvailable).map((overload) => ({ overload, parameterNames: parameterNames(overload) }));
    if (available.length === 0) continue;
    const known = functions.get(name);
    if (known === undefined) functions.set(name, { name, literalArgument, guard, measure, overloads: available });
    else known.overloads.push(...available);
  }
  return new Map([...functions].map(([name, made]) => [name, oneOf(made, declarations)]));
}

/**
 * Cache of the functions that environments offer, by library and then by name. One name may have several functions, because environments
 * can offer different overloads.
 */
const availableFunctions = new WeakMap<readonly FunctionDeclaration[], Map<string, DeclaredFunction[]>>();

/**
 * Returns the cached function with the same name and overloads as `made`. If the cache has no such function, `made` is added and returned.
 */
function oneOf(made: DeclaredFunction, library: readonly FunctionDeclaration[]): DeclaredFunction {
  const byName = availableFunctions.get(library) ?? new Map<string, DeclaredFunction[]>();
  availableFunctions.set(library, byName);
  const forms = byName.get(made.name) ?? [];
  byName.set(made.name, forms);
  const isSame = ({ overloads }: DeclaredFunction): boolean =>
    overloads.length === made.overloads.length && overloads.every(({ overload }, i) => overload === made.overloads[i]?.overload);
  const known = forms.find(isSame);
  if (known === undefined) forms.push(made);
  return known ?? made;
}

function parameterNames({ parameters, result }: Overload): readonly string[] {
  const names = new Set<string>();
  const collect = (type: CelType): void => {
    if (type.kind === 'typeParameter') names.add(type.name);
    typeParameters(type).forEach(collect);
  };
  [...parameters, result].forEach(collect);
  return [...names];
}

/**
 * Cache of environments. The key consists of the Kubernetes minor version, the use (`new` or `stored` expressions), and either the cost
 * formulas or `mutation`. Environments never change.
 */
const made = new Map<string, Environment>();

/**
 * Cost formulas for function calls at run time. `kubernetes`: the formulas of Kubernetes and cel-go. `core`: the formulas of cel-go alone,
 * in which a call without a formula costs 1. Rules always use `kubernetes`. Policies use it since 1.32. Source:
 * k8s.io/apiserver/pkg/cel/environment/base.go `StrictCostOpt` (1.30).
 */
export type CostFormulas = 'kubernetes' | 'core';

/**
 * Returns the CEL environment of a Kubernetes minor version. `use` states if it is for new or for stored expressions. Environments are
 * cached by all three arguments.
 */
export function environmentFor(minor: Minor, use: ExpressionUse, formulas: CostFormulas = 'kubernetes'): Environment {
  const key = `${minor} ${use} ${formulas}`;
  let environment = made.get(key);
  if (environment === undefined) {
    environment = makeEnvironment(formulas === 'core' ? withCorePrices(FUNCTIONS) : FUNCTIONS, minor, use);
    made.set(key, environment);
  }
  return environment;
}

/**
 * Returns the environment of {@link environmentFor}, extended by the literals and functions of mutating policies: `Object{…}`,
 * `JSONPatch{…}`, `jsonpatch.escapeKey`.
 */
export function mutationEnvironmentFor(minor: Minor, use: ExpressionUse): Environment {
  const key = `${minor} ${use} mutation`;
  let environment = made.get(key);
  if (environment === undefined) {
    environment = makeEnvironment([...FUNCTIONS, ...JSON_PATCH_FUNCTIONS], minor, use, MUTATION_MESSAGES);
    made.set(key, environment);
  }
  return environment;
}
