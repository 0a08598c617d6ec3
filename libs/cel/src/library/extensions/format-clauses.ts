import { machineInteger } from '#go';
import { MAX_INT } from '../../values/integer.ts';

/** One clause of a format string, such as `%d` or `%.2f`. */
export interface FormatClause {
  readonly verb: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
  readonly precision: number | undefined;
}

const VERBS = 'sdfebxXo';
const UTF8 = new TextEncoder();

/**
 * Yields the parts of a format string: literal texts, clauses, or an error as the last part. If the part is a clause or an error, a caller
 * must first check that an argument for it exists. Upstream reports a missing argument before any other error. Source: cel-go
 * ext/formatting.go `parseFormatString` (v0.29.2).
 */
export function* readFormat(text: string): Generator<string | FormatClause | Error> {
  let at = 0;
  for (;;) {
    const percent = text.indexOf('%', at);
    if (percent < 0) {
      if (at < text.length) yield text.slice(at);
      return;
    }
    if (percent > at) yield text.slice(at, percent);
    if (text.charAt(percent + 1) === '%') {
      yield '%';
      at = percent + 2;
      continue;
    }
    const clause = readClause(text, percent + 1);
    if (clause instanceof Error) {
      yield clause;
      return;
    }
    yield clause.clause;
    at = clause.end;
  }
}

function readClause(text: string, start: number): { readonly clause: FormatClause; readonly end: number } | Error {
  if (start >= text.length) return new Error('unexpected end of string');
  let at = start;
  let precision: number | undefined;
  if (text.charAt(at) === '.') {
    const digits = (/^\d*/.exec(text.slice(at + 1)) as RegExpExecArray)[0];
    at += 1 + digits.length;
    if (at >= text.length) return precisionError('could not find end of precision specifier');
    if (digits === '') return precisionError('error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax');
    const written = machineInteger(digits);
    if (written === undefined || written > MAX_INT) {
      return precisionError(`error while converting precision to integer: strconv.Atoi: parsing "${digits}": value out of range`);
    }
    precision = Number(written);
  }
  const verb = text.charAt(at);
  if (!VERBS.includes(verb)) {
    const firstByte = UTF8.encode(String.fromCodePoint(text.codePointAt(at) as number))[0] as number;
    return new Error(`could not parse formatting clause: unrecognized formatting clause "${String.fromCharCode(firstByte)}"`);
  }
  return { clause: { verb: verb as FormatClause['verb'], precision }, end: at + 1 };
}

function precisionError(message: string): Error {
  return new Error(`could not parse formatting clause: error while parsing precision: ${message}`);
}
