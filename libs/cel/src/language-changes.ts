import { ruleVariables } from './checked-rules.ts';
import type { OldSelf } from './checked-rules.ts';
import { checkExpression } from './language/check/checker.ts';
import { changesOfMacro } from './language/environment.ts';
import type { Environment } from './language/environment.ts';
import { CHECKED_FORMATS, KEYWORD_FIELDS, RecordedNames, UNIFIED_TYPES } from './language/recorded-names.ts';
import { Issues } from './language/syntax/issues.ts';
import { parseExpression } from './language/syntax/parser.ts';
import { RecordingSyntax } from './language/syntax/parse-once.ts';
import { sourceOf } from './language/syntax/source.ts';
import { validateExpression } from './language/validate.ts';
import type { LANGUAGE_DIFFERENCES } from './differences/language.ts';
import { DIFFERENCES, has, releaseOf } from './minors.ts';
import { shapeOf } from './values/schema/declared-type.ts';
import type { DeclaredType } from './values/schema/declared-type.ts';

/** Name of a difference in the CEL language between Kubernetes minor versions: a key of `LANGUAGE_DIFFERENCES`. */
type LanguageChange = keyof typeof LANGUAGE_DIFFERENCES;

/** Compilation of the expression of a rule in two environments: the earlier and the later one. */
export interface TwoCompilations {
  readonly text: string;
  /** Declared type of the variable `self`. */
  readonly self: DeclaredType;
  readonly oldSelf: OldSelf;
  readonly environments: readonly [Environment, Environment];
  /** Error texts of both environments; undefined if the expression compiles. */
  readonly errors: readonly [string | undefined, string | undefined];
}

/** Effect of a difference on an expression: later versions accept more, later versions accept less, or only the words of an error change. */
const EFFECTS: Readonly<Record<LanguageChange, 'allows' | 'refuses' | 'words'>> = {
  optionals: 'allows',
  twoVariableMacros: 'allows',
  sortByMacro: 'allows',
  keywordFields: 'allows',
  formatsAreChecked: 'refuses',
  accumulatorIsCopied: 'words',
  oneIsCopied: 'allows',
  targetIsCopied: 'allows',
  lineStartsBelong: 'words',
  backTicks: 'words',
  codePointsAreChecked: 'refuses',
  accumulatorIsHidden: 'refuses',
  namesAreSuggested: 'words',
  typesOfTypesUnify: 'refuses',
  quotedIdentifiers: 'allows',
};

/** Settings of the parser by the difference that changed them. */
const FLAGS = {
  optionals: 'optionals',
  quotedIdentifiers: 'quotedIdentifiers',
  readsAnyCodePoint: 'codePointsAreChecked',
  lacksBackTicks: 'backTicks',
  spellsAccumulator: 'accumulatorIsHidden',
  misplacesLineStarts: 'lineStartsBelong',
} as const satisfies Readonly<Record<string, LanguageChange>>;

const REUSED = { accumulator: 'accumulatorIsCopied', one: 'oneIsCopied', target: 'targetIsCopied' } as const;

/** Settings of the checker, by the marker that the record of its look-ups contains. */
const MARKERS: Readonly<Record<string, LanguageChange>> = {
  [KEYWORD_FIELDS]: 'keywordFields',
  [CHECKED_FORMATS]: 'formatsAreChecked',
  [UNIFIED_TYPES]: 'typesOfTypesUnify',
};

/**
 * Returns the differences in the language because of which two environments compile an expression with different results. These are the
 * settings that parser and checker read for this expression, and that the two environments set differently.
 */
export function languageChanges(compilations: TwoCompilations): readonly LanguageChange[] {
  const { environments, errors } = compilations;
  const asked = new Set(environments.flatMap((environment) => [...askedOf(compilations, environment)]));
  if (errors.some((error) => error?.includes('undeclared reference to ') === true)) asked.add('namesAreSuggested');
  const [before, after] = environments.map(({ minor, use }) => releaseOf(minor, use));
  return [...asked].filter(
    (change) =>
      before !== undefined &&
      after !== undefined &&
      has(before, change) !== has(after, change) &&
      DIFFERENCES[change].seen !== undefined &&
      hasEffect(change, has(errors[0] === undefined ? after : before, change), errors) &&
      isConcerned(change, compilations),
  );
}

/** Returns false if a difference cannot make a server refuse an expression. `isNew` is true if the refusing server has the later behaviour. */
function hasEffect(change: LanguageChange, isNew: boolean, errors: TwoCompilations['errors']): boolean {
  return errors.every((error) => error !== undefined) || EFFECTS[change] === (isNew ? 'refuses' : 'allows');
}

/** Returns false if a setting that the parser reads for many expressions has no effect on this one. */
function isConcerned(change: LanguageChange, { text, errors }: TwoCompilations): boolean {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- parser and checker read all other settings only where they matter
  switch (change) {
    case 'accumulatorIsHidden':
      return text.includes('__result__');
    case 'accumulatorIsCopied':
    case 'targetIsCopied':
      return errors.some((error) => error?.includes('incompatible type already exists') === true);
    case 'codePointsAreChecked':
      return /\\u/i.test(text);
    case 'lineStartsBelong':
      return positions(errors[0]) !== positions(errors[1]);
    default:
      return true;
  }
}

const positions = (error = ''): string => (error.match(/<input>:\d+:\d+/g) ?? []).join(' ');

/** Returns the differences whose settings parser and checker read for an expression. */
function askedOf({ text, self, oldSelf }: TwoCompilations, environment: Environment): ReadonlySet<LanguageChange> {
  const variables = ruleVariables(shapeOf(self), oldSelf);
  const syntax = new RecordingSyntax(environment.syntax);
  const declarations = new RecordedNames(environment.declarations(variables), environment);
  const parsed = parseExpression(text, syntax);
  if (parsed.ok) {
    const issues = new Issues(sourceOf(text, syntax));
    const checked = checkExpression(parsed.expression, declarations, issues);
    if (issues.count === 0) validateExpression(checked, declarations, issues);
  }
  const asked = syntax.answers.flatMap((answer): LanguageChange[] => {
    if (answer.query === 'macros') return [...changesOfMacro(answer.key)];
    return [answer.query === 'reuses' ? REUSED[answer.key] : FLAGS[answer.query]];
  });
  return new Set([...asked, ...declarations.names.flatMap((name) => MARKERS[name] ?? [])]);
}
