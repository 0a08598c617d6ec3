import type { PolicyReport } from '#documents';
import type { EditorFinding, ReportedDocument } from './findings.ts';
import { lengthInExpression, offsetInExpression } from '../texts/written-offsets.ts';
import type { PlaceRange } from '../texts/line-index.ts';
import type { PlacedSource } from '../texts/source-file.ts';

/** Warning of type checking about an expression of a policy. */
export type TypeWarning = NonNullable<PolicyReport['typeChecking']>[number];

/** Pattern that captures the kind at the beginning of a paragraph of a warning: `apps/v1, Kind=Deployment`. */
const KIND = /^(\S+, Kind=\S+): /;
const ERROR = /ERROR: <input>:(\d+):(\d+): (.*)/g;
const UNDEFINED = /^undefined field '(.+)'$/;

/** Text that represents all kinds, and that is no kind. */
const ANY_KIND = '';

/** Error in a paragraph of a warning, with the kinds for which type checking reports it. */
interface TypeError {
  readonly words: string;
  readonly line: number;
  readonly column: number;
  readonly kinds: string[];
}

/**
 * Returns the errors in a warning of type checking, each once and with its place in the policy. An error about an undefined field also
 * names the field that is probably meant.
 *
 * If the warning says for how many kinds the expression was checked, only the errors of all these kinds are returned. An error of some
 * kinds is usual in a policy that tests the kind of the object first. Type checking also reports errors of policies that work. So such an
 * error is only a note, unless a similar field is probably meant.
 */
export function typeFindings(typeWarning: TypeWarning, source?: PlacedSource): EditorFinding[] {
  const { fieldRef, suggestions = [], kinds: all } = typeWarning;
  return errorsIn(typeWarning).map(({ words, line, column, kinds }) => {
    const field = UNDEFINED.exec(words)?.[1];
    const meant = suggestions.find((suggestion) => suggestion.field === field)?.name;
    const about = kinds.length === 0 ? '' : ` (${kinds.join('; ')})`;
    const remedy = meant === undefined ? '' : `; did you mean ${meant}?`;
    const range = source && rangeIn(source, fieldRef, { words, line, column });
    const severity = all === undefined || meant !== undefined ? 'warning' : 'note';
    return { severity, message: `type checking: ${words}${about}${remedy}`, ...(range && { location: locationOf(range) }) };
  });
}

function errorsIn({ warning, kinds: all = 0 }: TypeWarning): readonly TypeError[] {
  const found = new Map<string, TypeError>();
  for (const paragraph of warning.split(/\n(?=\S+, Kind=)/)) {
    const kind = KIND.exec(paragraph)?.[1];
    for (const [place, line, column, words = ''] of paragraph.matchAll(ERROR)) {
      const error = found.get(place) ?? { words, line: Number(line), column: Number(column), kinds: [] };
      found.set(place, error);
      if (kind !== undefined && !error.kinds.includes(kind)) error.kinds.push(kind);
    }
  }
  const errors = [...found.values()];
  if (errors.length === 0) return [{ words: warning.trim(), line: 1, column: 1, kinds: [] }];
  return errors.filter(({ kinds }) => kinds.length >= all);
}

function rangeIn(source: PlacedSource, field: string, error: Pick<TypeError, 'words' | 'line' | 'column'>): PlaceRange | undefined {
  const expression = source.textOf(field) ?? '';
  const at = offsetInExpression(expression, error.line, error.column);
  return source.rangeInField(field, at, lengthInExpression(expression, at, error.words)) ?? source.rangeOf(field);
}

const locationOf = ({ line, column, end }: PlaceRange): NonNullable<EditorFinding['location']> => ({
  line,
  column,
  endLine: end.line,
  endColumn: end.column,
});

/** Fields that policies read and that type checking reports as undefined, by policy and kind. */
export class UndefinedFields {
  readonly #known = new Set<string>();

  constructor(reports: readonly Pick<PolicyReport, 'name' | 'typeChecking'>[] = []) {
    for (const { name, typeChecking = [] } of reports)
      for (const warning of typeChecking)
        for (const { words, kinds } of errorsIn(warning)) {
          const field = UNDEFINED.exec(words)?.[1];
          if (field !== undefined) for (const kind of [ANY_KIND, ...kinds]) this.#known.add(JSON.stringify([name, kind, field]));
        }
  }

  /**
   * Returns true if type checking of the policy reports that objects of the kind have no such field. If the kind is not known, a report
   * about any kind suffices.
   */
  has(policy: string, { apiVersion, kind }: Pick<ReportedDocument, 'apiVersion' | 'kind'>, field: string): boolean {
    const of = apiVersion === undefined || kind === undefined ? ANY_KIND : `${apiVersion}, Kind=${kind}`;
    return this.#known.has(JSON.stringify([policy, of, field]));
  }
}
