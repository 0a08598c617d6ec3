import { compileProgram, DYN, environmentFor } from '#cel';
import type { CelType } from '#cel';
import type { Minor } from '#kube';
import type { Diagnostic } from '../answers/answers.ts';
import { TextPositions } from '../open-texts/position.ts';
import { shownMinors } from '../answers/shown-minors.ts';
import { goMarkers } from './go-markers.ts';
import type { GoMarker } from './go-markers.ts';
import type { GoString } from './go-string.ts';
import { offsetInExpression } from '../../texts/expression-offset.ts';

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
