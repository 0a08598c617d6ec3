import { minorNumber } from '#kube';
import { costVersion } from '../library/cost-version.ts';
import { OPTIONAL_MACROS } from './syntax/macros/optional.ts';
import { SORT_BY } from './syntax/macros/sort-by.ts';
import { STANDARD_MACROS } from './syntax/macros/standard.ts';
import { TWO_VARIABLE_MACROS } from './syntax/macros/two-variable.ts';
import { macroTable } from './syntax/macro.ts';
import { TYPE_NAMES } from '../values/types/type-names.ts';
import { typeParameters } from '../values/types/format.ts';
import { typeOf } from '../values/types/type.ts';
import type { Minor } from '#kube';
import type { Declarations, DeclaredFunction, DeclaredOverload } from './check/declarations.ts';
import type { CostVersion, FunctionDeclaration, Overload } from '../library/define.ts';
import type { Macro } from './syntax/macro.ts';
import type { ReusedNode, Syntax } from './syntax/syntax.ts';
import type { CelType } from '../values/types/type.ts';
import type { TypeName } from '../values/types/type-names.ts';

/** Whether an expression is being written, or was accepted before: new ones may use only what the previous minor knew too. */
export type ExpressionUse = 'new' | 'stored';

/** What expressions of one Kubernetes minor can say. Source: k8s.io/apiserver/pkg/cel/environment/{base,environment}.go (1.37). */
export interface Environment {
  readonly minor: Minor;
  readonly use: ExpressionUse;
  readonly syntax: Syntax;
  readonly functions: ReadonlyMap<string, DeclaredFunction>;
  readonly costs: CostVersion;
  /** What names mean where the given variables are declared. */
  declarations(variables: ReadonlyMap<string, CelType>): Declarations;
}

/** Macros by the compatibility version that brought them. */
const MACROS: readonly { readonly since: number; readonly macros: readonly Macro[] }[] = [
  { since: 0, macros: STANDARD_MACROS },
  { since: 28, macros: OPTIONAL_MACROS },
  { since: 32, macros: TWO_VARIABLE_MACROS },
  { since: 34, macros: [SORT_BY] },
];

/** First server minor whose macros no longer use a node at several places. */
const NO_LONGER_REUSED: readonly (readonly [ReusedNode, number])[] = [
  ['accumulator', 31],
  ['one', 32],
  ['target', 32],
];

/** First compatibility version with optional values. */
const OPTIONALS_SINCE = 28;
/** First compatibility version in which `self.namespace` finds the field `__namespace__`. */
const KEYWORD_FIELDS_SINCE = 31;
/** First server minor that checks literal format strings when an expression is compiled. */
const FORMAT_CHECKED_SINCE = 31;
/** First server minor whose grammar knows back-ticks. */
const BACK_TICKS_SINCE = 33;
/** First server minor whose macros accumulate into a variable that no text can spell. */
const ACCUMULATOR_HIDDEN_SINCE = 33;
/** First server minor that places the start of a line in that line. */
const LINE_STARTS_SINCE = 32;
/** First server minor whose parser reads back-ticked field names. */
const QUOTED_IDENTIFIERS_SINCE = 37;

/** The environment that a minor makes of a set of functions. */
export function makeEnvironment(available: readonly FunctionDeclaration[], minor: Minor, use: ExpressionUse): Environment {
  const binary = minorNumber(minor);
  const compatibility = use === 'new' ? binary - 1 : binary;
  const functions = declaredFunctions(available, (overload) => isOffered(overload, binary, compatibility));
  const types = new Map(
    typeNamesOf(binary, compatibility).map(({ name, type, typeSince = 0 }) => [name, typeSince > binary ? type : typeOf(type)]),
  );
  return {
    minor,
    use,
    syntax: syntaxOf(binary, compatibility),
    functions,
    costs: costVersion(minor),
    declarations: (variables) => ({
      variable: (name) => variables.get(name) ?? types.get(name),
      function: (name) => functions.get(name.startsWith('.') ? name.slice(1) : name),
      keywordFields: compatibility >= KEYWORD_FIELDS_SINCE,
      checksFormats: binary >= FORMAT_CHECKED_SINCE,
    }),
  };
}

const syntaxes = new Map<string, Syntax>();

/** What a server of a minor parses. Equal ones are one, so that what was parsed for a new expression is known for the stored one. */
function syntaxOf(binary: number, compatibility: number): Syntax {
  const macros = MACROS.filter(({ since }) => since <= compatibility);
  const optionals = compatibility >= OPTIONALS_SINCE;
  const key = `${binary} ${macros.length} ${optionals}`;
  const known = syntaxes.get(key);
  if (known !== undefined) return known;
  const syntax: Syntax = {
    macros: macroTable(macros.flatMap((group) => group.macros)),
    optionals,
    quotedIdentifiers: binary >= QUOTED_IDENTIFIERS_SINCE,
    lacksBackTicks: binary < BACK_TICKS_SINCE,
    spellsAccumulator: binary < ACCUMULATOR_HIDDEN_SINCE,
    misplacesLineStarts: binary < LINE_STARTS_SINCE,
    reuses: new Set(NO_LONGER_REUSED.filter(([, since]) => binary < since).map(([node]) => node)),
  };
  syntaxes.set(key, syntax);
  return syntax;
}

function typeNamesOf(binary: number, compatibility: number): TypeName[] {
  return TYPE_NAMES.filter(
    ({ since, binarySince = 0, binaryUntil = Infinity }) => since <= compatibility && binarySince <= binary && binary < binaryUntil,
  );
}

function isOffered({ since, until, binarySince, binaryUntil }: Overload, binary: number, compatibility: number): boolean {
  if (binarySince !== undefined && minorNumber(binarySince) > binary) return false;
  if (binaryUntil !== undefined && minorNumber(binaryUntil) <= binary) return false;
  return since <= compatibility && (until === undefined || compatibility < until);
}

/** Functions by name, with the overloads that pass; several declarations of one name are put together. */
function declaredFunctions(
  declarations: readonly FunctionDeclaration[],
  isOfferedHere: (overload: Overload) => boolean,
): ReadonlyMap<string, DeclaredFunction> {
  const functions = new Map<string, DeclaredFunction & { overloads: DeclaredOverload[] }>();
  for (const { name, literalArgument, guard, measure, overloads } of declarations) {
    const offered = overloads.filter(isOfferedHere).map((overload) => ({ overload, parameterNames: parameterNames(overload) }));
    if (offered.length === 0) continue;
    const known = functions.get(name);
    if (known === undefined) functions.set(name, { name, literalArgument, guard, measure, overloads: offered });
    else known.overloads.push(...offered);
  }
  return functions;
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
