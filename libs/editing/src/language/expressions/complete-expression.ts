import { FUNCTIONS, tokenize } from '#cel';
import type { CelType, Environment } from '#cel';
import { ExpressionScope } from './expression-scope.ts';
import type { ExpressionPlace } from './expression-scope.ts';
import { MACROS, shownType, signatureText, takes } from './function-words.ts';
import type { Completion } from '../answers/answers.ts';

/** Completions at the end of an incomplete expression. The caller adds the range in the document. */
export interface ExpressionCompletions {
  /** Length of the incomplete name at the end of the text, in UTF-16 code units. */
  readonly begun: number;
  readonly items: readonly Omit<Completion, 'range'>[];
}

const NOTHING: ExpressionCompletions = { begun: 0, items: [] };

/** Returns the completions at the end of an incomplete expression. Inside a string literal, there are no completions. */
export function completeExpression(written: string, place: ExpressionPlace): ExpressionCompletions {
  const tokens = tokenize(written)?.slice(0, -1);
  if (tokens === undefined) return NOTHING;
  const last = tokens.at(-1);
  const isNameBegun = last?.kind === 'IDENTIFIER' && written.endsWith(last.text);
  const isDigitBegun = last !== undefined && last.kind.startsWith('NUM_') && written.endsWith(last.text);
  if (isDigitBegun) return NOTHING;
  const end = isNameBegun ? tokens.length - 1 : tokens.length;
  const begun = isNameBegun ? last.text : '';
  const scope = new ExpressionScope(written, tokens, place);
  const isOptional = tokens[end - 1]?.kind === '?' && tokens[end - 2]?.kind === '.';
  const dot = isOptional ? end - 2 : end - 1;
  const variables = scope.variablesAt(end);
  const items = tokens[dot]?.kind === '.' ? membersOf(scope, dot, variables, place.environment) : globals(variables, place.environment);
  return { begun: begun.length, items: items.filter(({ label }) => label.toLowerCase().startsWith(begun.toLowerCase())) };
}

type Item = Omit<Completion, 'range'>;

function membersOf(scope: ExpressionScope, dot: number, variables: ReadonlyMap<string, CelType>, environment: Environment): Item[] {
  const first = scope.startOfOperand(dot);
  const namespace = scope.textOf(first, dot);
  const inNamespace = [...environment.functions.values()].filter(({ name }) => name.startsWith(`${namespace}.`) && !name.includes('@'));
  if (inNamespace.length > 0 && !variables.has(namespace))
    return inNamespace.flatMap(({ name }) => functionItem(name, environment, () => true, name.slice(namespace.length + 1)) ?? []);
  const type = scope.typeOf(first, dot, variables);
  if (type === undefined) return [];
  return [...fieldsOf(type), ...methodsOf(type, environment)];
}

/** Returns completions for the fields of an object type. For an optional, it uses the type of the optional's value. */
function fieldsOf(type: CelType): Item[] {
  if (type.kind === 'optional') return fieldsOf(type.value);
  if (type.kind !== 'object') return [];
  return [...(type.fields ?? [])].map(([name, field]) => ({
    label: name,
    kind: 'field',
    detail: shownType(field),
    insert: name,
    isSnippet: false,
  }));
}

function methodsOf(type: CelType, environment: Environment): Item[] {
  const methods = [...environment.functions.keys()].flatMap(
    (name) => (isName(name) ? functionItem(name, environment, (overload) => takes(overload, type)) : undefined) ?? [],
  );
  const macros = macroNames(environment, 'method').filter((name) => MACROS[name]?.of.includes(type.kind) || type.kind === 'dyn');
  return [...macros.map(macroItem), ...methods];
}

function globals(variables: ReadonlyMap<string, CelType>, environment: Environment): Item[] {
  const names = [...variables].map(([name, type]): Item => ({
    label: name,
    kind: 'variable',
    detail: shownType(type),
    insert: name,
    isSnippet: false,
  }));
  const functions = [...environment.functions.keys()].flatMap(
    (name) => (isName(name) ? functionItem(name, environment, ({ style }) => style === 'function') : undefined) ?? [],
  );
  const spaces = [...new Set([...environment.functions.keys()].flatMap((name) => /^([a-z]\w*)\.[a-z]/.exec(name)?.[1] ?? []))];
  return [
    ...names.toReversed(),
    ...macroNames(environment, 'function').map(macroItem),
    ...functions,
    ...spaces.map((name): Item => ({ label: name, kind: 'variable', detail: 'functions', insert: name, isSnippet: false })),
    ...['true', 'false', 'null'].map((word): Item => ({ label: word, kind: 'value', insert: word, isSnippet: false })),
  ];
}

const isName = (name: string): boolean => /^[a-zA-Z]\w*$/.test(name);

function macroNames({ syntax }: Environment, style: 'function' | 'method'): string[] {
  const names = [...syntax.macros.values()].filter((macro) => macro.style === style).map(({ name }) => name);
  return [...new Set(names)].filter((name) => Object.hasOwn(MACROS, name));
}

const macroItem = (name: string): Item => ({
  label: name,
  kind: 'macro',
  documentation: MACROS[name]?.doc ?? '',
  insert: MACROS[name]?.snippet ?? name,
  isSnippet: true,
});

/** Returns the completion for a function of the environment. Returns undefined if none of its overloads satisfies `fits`. */
function functionItem(
  name: string,
  environment: Environment,
  fits: (overload: NonNullable<(typeof FUNCTIONS)[number]>['overloads'][number]) => boolean,
  label = name,
): Item[] | undefined {
  const overloads =
    environment.functions
      .get(name)
      ?.overloads.map(({ overload }) => overload)
      .filter(fits) ?? [];
  const [first] = overloads;
  if (first === undefined) return undefined;
  const takesNothing = overloads.every(({ parameters, style }) => parameters.length === (style === 'method' ? 1 : 0));
  const doc = FUNCTIONS.find((one) => one.name === name && one.overloads.some(({ id }) => id === first.id))?.doc;
  return [
    {
      label,
      kind: first.style === 'method' ? 'method' : 'function',
      detail: overloads.map((overload) => signatureText(name, overload)).join('\n'),
      ...(doc !== undefined && { documentation: doc }),
      insert: takesNothing ? `${label}()` : `${label}($0)`,
      isSnippet: true,
    },
  ];
}
