import { has, offers, releaseOf } from '../minors.ts';
import { semanticsOf } from '../values/semantics.ts';
import { costVersion } from '../library/cost-version.ts';
import { OPTIONAL_MACROS } from './syntax/macros/optional.ts';
import { SORT_BY } from './syntax/macros/sort-by.ts';
import { STANDARD_MACROS } from './syntax/macros/standard.ts';
import { TWO_VARIABLE_MACROS } from './syntax/macros/two-variable.ts';
import { macroTable } from './syntax/macro.ts';
import { TYPE_NAMES } from '../values/types/type-names.ts';
import { WELL_KNOWN_MESSAGES } from '../values/messages/well-known-messages.ts';
import { typeParameters } from '../values/types/format.ts';
import { typeOf } from '../values/types/type.ts';
import type { Minor } from '#kube';
import type { MessageTypes } from '../values/messages/message-value.ts';
import type { DifferenceName, Release } from '../minors.ts';
import type { Semantics } from '../values/semantics.ts';
import type { Declarations, DeclaredFunction, DeclaredOverload } from './check/declarations.ts';
import type { CostVersion, FunctionDeclaration, Overload } from '../library/define.ts';
import type { Macro } from './syntax/macro.ts';
import type { ReusedNode, Syntax } from './syntax/syntax.ts';
import type { CelType } from '../values/types/type.ts';
import type { TypeName } from '../values/types/type-names.ts';

/** The use of an expression: `new` or already `stored`. A new expression may only use features of the previous minor. */
export type ExpressionUse = 'new' | 'stored';

/**
 * The language of expressions in one Kubernetes minor. Source:
 * k8s.io/apiserver/pkg/cel/environment/{base,environment}.go (1.37).
 */
export interface Environment {
  readonly minor: Minor;
  readonly use: ExpressionUse;
  readonly syntax: Syntax;
  /** All that functions were chosen of. */
  readonly library: readonly FunctionDeclaration[];
  /** A function that two environments offer with the same overloads is one object. */
  readonly functions: ReadonlyMap<string, DeclaredFunction>;
  /** The types that literals may be of. */
  readonly messages: MessageTypes;
  /** Behaviour of values at run time. */
  readonly semantics: Semantics;
  readonly costs: CostVersion;
  /** Returns the meaning of names if the given variables are declared. */
  declarations(variables: ReadonlyMap<string, CelType>): Declarations;
}

/** Macros that came later, by what brought them. */
const LATER_MACROS: readonly { readonly change: DifferenceName; readonly macros: readonly Macro[] }[] = [
  { change: 'optionals', macros: OPTIONAL_MACROS },
  { change: 'twoVariableMacros', macros: TWO_VARIABLE_MACROS },
  { change: 'sortByMacro', macros: [SORT_BY] },
];

/** Nodes that macros used at several places until something changed. */
const NO_LONGER_REUSED: readonly (readonly [ReusedNode, DifferenceName])[] = [
  ['accumulator', 'accumulatorIsCopied'],
  ['one', 'oneIsCopied'],
  ['target', 'targetIsCopied'],
];

/** Returns the environment that a minor makes of a set of functions. */
export function makeEnvironment(
  available: readonly FunctionDeclaration[],
  minor: Minor,
  use: ExpressionUse,
  messages: MessageTypes = WELL_KNOWN_MESSAGES,
): Environment {
  const release = releaseOf(minor, use);
  const semantics = semanticsOf(minor);
  const functions = declaredFunctions(available, (overload) => offers(release, overload));
  const types = new Map(
    typeNamesOf(release).map(({ name, type, typeSince = 0 }) => [name, typeSince > release.server ? type : typeOfOnce(type)]),
  );
  return {
    minor,
    use,
    library: available,
    syntax: syntaxOf(release),
    functions,
    messages,
    semantics,
    costs: costVersion(minor),
    declarations: (variables) => ({
      variable: (name) => variables.get(name) ?? types.get(name) ?? typeOfMessage(messages, name),
      message: messages,
      function: (name) => functions.get(name.startsWith('.') ? name.slice(1) : name),
      keywordFields: has(release, 'keywordFields'),
      naming: semantics,
      checksFormats: has(release, 'formatsAreChecked'),
    }),
  };
}

/** Types of types, by these: equal ones are one, so that environments can be compared. */
const typesOfTypes = new WeakMap<CelType, CelType>();

function typeOfOnce(type: CelType): CelType {
  const known = typesOfTypes.get(type);
  if (known !== undefined) return known;
  const made = typeOf(type);
  typesOfTypes.set(type, made);
  return made;
}

/** Returns the type of a message by its name. */
function typeOfMessage(messages: MessageTypes, name: string): CelType | undefined {
  const message = messages(name);
  return message && typeOfOnce(message.valueType ?? message.type);
}

/** Syntaxes that were made, by what is in them; the order of requests does not matter. */
const syntaxes = new Map<string, Syntax>();

/**
 * Returns the syntax that a server of a minor parses. Equal syntaxes are one object. So stored expressions and other
 * minors reuse the parsed tree of a new expression.
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
    ({ since, binarySince = 0, binaryUntil = Infinity }) => since <= compatibility && binarySince <= server && server < binaryUntil,
  );
}

/** Functions by name, with the overloads that pass; several declarations of one name are put together. */
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

/** Functions that environments offer, by what they were chosen of and their name. */
const availableFunctions = new WeakMap<readonly FunctionDeclaration[], Map<string, DeclaredFunction[]>>();

/** Returns the function that an environment before this one made of the same overloads, or this one. */
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
