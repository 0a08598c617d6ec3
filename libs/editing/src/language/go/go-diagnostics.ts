import { compileProgram, DYN, environmentFor } from '#cel';
import type { CelType } from '#cel';
import type { Minor } from '#kube';
import { TextPositions } from '../open-texts/position.ts';
import { shownMinors } from '../answers/answers.ts';
import type { Diagnostic } from '../answers/answers.ts';
import { offsetInExpression } from '../../texts/written-offsets.ts';

/** Error in an expression, with its offsets in the Go source. */
interface FoundError {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** Pattern of a compiler message that contains a position. Source: cel-go common/error.go `Error.ToDisplayString` (v0.29.2). */
const ERROR_LINE = /^ERROR: <input>:(\d+):(\d+): (.*)$/;

/**
 * Returns the problems in the CEL rules of validation markers (comments such as `+kubebuilder:validation:XValidation`) in Go source. The
 * type of `self` is unknown. Therefore, only syntax, functions, variable names and result types are checked.
 */
export function goDiagnostics(source: string, minors: readonly Minor[]): Diagnostic[] {
  const positions = new TextPositions(source);
  const found = new Map<string, { readonly error: FoundError; readonly minors: Minor[] }>();
  for (const marker of goMarkers(source))
    for (const minor of minors)
      for (const error of 'problem' in marker ? [{ ...marker, message: marker.problem }] : errorsOf(marker, minor)) {
        const key = `${error.start} ${error.message}`;
        const known = found.get(key);
        if (known === undefined) found.set(key, { error, minors: [minor] });
        else known.minors.push(minor);
      }
  return [...found.values()].map(({ error: { start, end, message }, minors: saying }) => ({
    range: positions.rangeOf(start, end),
    severity: 'error',
    message: saying.length === minors.length ? message : `${message}\n(error on ${shownMinors(saying)})`,
  }));
}

function errorsOf({ rule, messageExpression, optionalOldSelf }: GoMarker, minor: Minor): readonly FoundError[] {
  const self: CelType = DYN;
  const oldSelf: CelType = optionalOldSelf ? { kind: 'optional', value: DYN } : DYN;
  const environment = environmentFor(minor, 'new');
  const variables = new Map([
    ['self', self],
    ['oldSelf', oldSelf],
  ]);
  const messages = { compile: '', resultType: () => '', program: '' };
  return [rule, ...(messageExpression === undefined ? [] : [messageExpression])].flatMap((expression) => {
    const compiled = compileProgram(expression.text, { variables, environment, results: undefined, messages });
    return compiled.ok ? [] : errorsIn(compiled.error, expression);
  });
}

function errorsIn(text: string, expression: GoString): readonly FoundError[] {
  const errors = text.split('\n').flatMap((line): FoundError[] => {
    const [, row, column, message] = ERROR_LINE.exec(line) ?? [];
    if (row === undefined || column === undefined || message === undefined) return [];
    const at = offsetInExpression(expression.text, Number(row), Number(column));
    const start = expression.offsets[Math.min(at, expression.offsets.length - 1)] ?? expression.end;
    return [{ start, end: Math.max(start + 1, expression.offsets[at + 1] ?? start + 1), message }];
  });
  const [start = expression.end] = expression.offsets;
  return errors.length > 0 ? errors : [{ start, end: expression.end, message: text }];
}

/** Rule in a marker comment of Go source. controller-gen copies the rule into the definition that it generates. */
interface GoMarker {
  readonly rule: GoString;
  readonly messageExpression: GoString | undefined;
  readonly optionalOldSelf: boolean;
}

/**
 * Error in the arguments of a kubebuilder `XValidation` comment (marker) that prevents reading them, with its position in the Go source.
 */
interface BrokenMarker {
  readonly problem: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Pattern of the start of a comment that declares a rule, up to the arguments. Source: sigs.k8s.io/controller-tools
 * pkg/crd/markers/validation.go `XValidation`.
 */
const MARKER = /^[ \t]*\/\/[ \t]*\+kubebuilder:validation:(?:items:)*XValidation:/gm;

/**
 * Returns the rules that the kubebuilder `XValidation` comments in Go source declare, in source order. For a comment that cannot be parsed,
 * the result contains a {@link BrokenMarker}.
 */
function goMarkers(source: string): readonly (GoMarker | BrokenMarker)[] {
  return [...source.matchAll(MARKER)].map(({ index, 0: head }) => readArguments(source, index + head.length));
}

/**
 * Reads the arguments of a marker, such as `rule="…",message="…"`, in any order. Source: sigs.k8s.io/controller-tools pkg/markers/parse.go.
 */
function readArguments(source: string, start: number): GoMarker | BrokenMarker {
  const newline = source.indexOf('\n', start);
  const end = newline < 0 ? source.length : newline;
  const values = new Map<string, GoString | string>();
  for (let at = start; at < end;) {
    const [name, key] = /^\s*(\w+)\s*=\s*/.exec(source.slice(at, end)) ?? [];
    if (name === undefined || key === undefined) return { problem: 'an argument of the marker has no name: rule="…"', start: at, end };
    at += name.length;
    const isText = source[at] === '"' || source[at] === '`';
    const text = isText ? readGoString(source, at) : undefined;
    if (isText && text === undefined)
      return { problem: `the string of ${key} does not end, or has an escape that Go does not know`, start: at, end };
    const word = text === undefined ? (/^[^,\s]*/.exec(source.slice(at, end))?.[0] ?? '') : '';
    values.set(key, text ?? word);
    at = text?.end ?? at + word.length;
    const [separator = ''] = /^\s*,?/.exec(source.slice(at, end)) ?? [];
    at += separator.length;
    if (!separator.includes(',') && source.slice(at, end).trim() !== '')
      return { problem: `something stands behind the string of ${key}: quotes inside it are written as \\"`, start: at, end };
  }
  const rule = values.get('rule');
  const message = values.get('messageExpression');
  if (rule === undefined || typeof rule === 'string') return { problem: 'the marker has no rule: rule="…"', start, end };
  return {
    rule,
    messageExpression: typeof message === 'object' ? message : undefined,
    optionalOldSelf: values.get('optionalOldSelf') === 'true',
  };
}

/** String literal in Go source, with the source offset of each of its characters. */
interface GoString {
  readonly text: string;
  /** Offset in the source of each UTF-16 code unit of the text, and of the end of the text. */
  readonly offsets: readonly number[];
  /** Offset in the source after the closing quote. */
  readonly end: number;
}

/** Characters that are written as a backslash and one letter, by letter. Source: Go language specification, "Rune literals". */
const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};
/** Number of hexadecimal digits that follow the letter of an escape sequence, by letter. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * Reads the string literal at an offset. Escape sequences are decoded in double quotes, but not in backquotes. Returns undefined if the
 * offset has no literal, the literal is not closed on its line, or an escape sequence is invalid.
 */
function readGoString(source: string, start: number): GoString | undefined {
  const quote = source[start];
  if (quote !== '"' && quote !== '`') return undefined;
  let text = '';
  const offsets: number[] = [];
  const add = (characters: string, at: number): void => {
    for (let i = 0; i < characters.length; i++) offsets.push(at);
    text += characters;
  };
  for (let at = start + 1; at < source.length;) {
    const character = source[at] as string;
    if (character === quote) return { text, offsets: [...offsets, at], end: at + 1 };
    if (character === '\n') return undefined;
    if (quote === '`' || character !== '\\') {
      add(character, at);
      at += 1;
      continue;
    }
    const escape = escapeAt(source, at + 1);
    if (escape === undefined) return undefined;
    add(escape.text, at);
    at += 1 + escape.length;
  }
  return undefined;
}

/**
 * Returns the character that an escape sequence encodes, and the length of the sequence without its backslash. `at` is the offset after the
 * backslash. Returns undefined for an octal escape and for an invalid sequence.
 */
function escapeAt(source: string, at: number): { readonly text: string; readonly length: number } | undefined {
  const letter = source[at] ?? '';
  if (Object.hasOwn(LETTERS, letter)) return { text: LETTERS[letter] as string, length: 1 };
  if (!Object.hasOwn(DIGITS, letter)) return undefined;
  const digits = source.slice(at + 1, at + 1 + (DIGITS[letter] as number));
  if (digits.length < (DIGITS[letter] as number) || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  return code > 0x10ffff ? undefined : { text: String.fromCodePoint(code), length: 1 + digits.length };
}
