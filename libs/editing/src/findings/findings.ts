import type { Status } from '#kube';
import { lengthInExpression, offsetInExpression } from '../texts/written-offsets.ts';
import type { Place, PlaceRange } from '../texts/line-index.ts';
import { misreadNote } from './misread-word.ts';
import type { PlacedSource } from '../texts/source-file.ts';
import { typeFindings, UndefinedFields } from './type-warnings.ts';
import type { TypeWarning } from './type-warnings.ts';

/** Error, warning or note of a server about a document, with the place in the text to which it refers. */
export interface EditorFinding {
  /**
   * Severity of the finding. `note` is an entry in the server's error list that reports no error, only that the server skipped further
   * checks.
   */
  readonly severity: 'error' | 'warning' | 'note';
  /** Field path in the form in which the server writes it; undefined if the finding contains no field. */
  readonly field?: string;
  /** Server's message, without the field path. */
  readonly message: string;
  /** Reason of the Status cause, such as FieldValueRequired, or reason of the Status if there is no cause. */
  readonly reason?: string;
  /** Place in the text; undefined if the text is not available. */
  readonly location?: FindingLocation;
}

/** Range of a finding. Lines and columns count from 1, and columns are in code points. The end is the place after the last character. */
export interface FindingLocation extends Place {
  readonly endLine: number;
  readonly endColumn: number;
}

/** Pattern of a server's error or warning for an unknown or duplicate field. */
const UNKNOWN_FIELD = /(unknown|duplicate) field "((?:[^"\\]|\\.)*)"/g;
/** Pattern of each error in the sentence of a strict decoder. The errors are separated by commas or line breaks. */
const DECODER_ERROR = /(?:unknown|duplicate) field "(?:[^"\\]|\\.)*"|line \d+: key .*? already set in map/g;
/** Pattern that captures the line of a YAML parse error, counted from 1. */
const YAML_LINE = /^(?:error converting YAML to JSON: )?yaml: line (\d+):/;
/** Pattern that captures the line of a key that occurs a second time in its YAML map. */
const DOUBLED_KEY = /^ *line (\d+): key .* already set in map$/m;
/** Pattern that captures the place of a CEL compile error: line and column in the expression, from 1, in code points. */
const CEL_PLACE = /<input>:(\d+):(\d+): /;
/**
 * Pattern for an error about a default value whose cause is a rule that does not compile. It captures the error's line and column in the
 * rule, and the text of that line with each tab replaced by a blank.
 */
const RULE_ERROR = /rule compile error: compilation failed: ERROR: <input>:(\d+):(\d+): .*\n \| (.*)/;
/** Message of a server that skipped validation rules. Source: apiextensions-apiserver/pkg/registry/customresource/validator.go (1.37). */
const NOT_CHECKED = 'some validation rules were not checked because the object was invalid';
/** Field paths by which a server's errors state that they refer to no field. */
const NO_FIELD: ReadonlySet<string> = new Set(['', '<nil>']);

/** Report on a document: a server's answer, and what Assay adds to it. */
export interface ReportedDocument {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly status?: Status | undefined;
  readonly warnings: readonly string[];
  /** Notes in the words of Assay about the whole document. */
  readonly hints?: readonly string[] | undefined;
  /** Warnings of the type checking of a policy. */
  readonly typeChecking?: readonly TypeWarning[] | undefined;
}

/**
 * Converts the errors of a Status and the warnings of a create or update to separate findings. Each finding contains its location in the
 * text. Warnings of type checking and hints follow.
 *
 * @param source the document that contains the locations; without it, findings have no location
 * @param undefinedFields fields that the policies of the batch misspell; findings about an object give no advice on reading them
 */
export function findingsOf(report: ReportedDocument, source?: PlacedSource, undefinedFields = new UndefinedFields()): EditorFinding[] {
  const { status, warnings, hints = [], typeChecking = [] } = report;
  const errors = status === undefined ? [] : errorsOf(status, source);
  const warned = warnings.map((message): EditorFinding => ({ severity: 'warning', message, ...placed(namedRange(message, source)) }));
  const isMisspelt = (policy: string, field: string): boolean => undefinedFields.has(policy, report, field);
  return [
    ...[...errors, ...warned].flatMap((finding) => [finding, ...noted(finding, source, isMisspelt)]),
    ...typeChecking.flatMap((warning) => typeFindings(warning, source)),
    ...hints.map((message): EditorFinding => ({ severity: 'note', message, ...placed(source && pointAt(source.beginning)) })),
  ];
}

function noted(error: EditorFinding, source: PlacedSource | undefined, isMisspelt: IsMisspelt): readonly EditorFinding[] {
  const note = (source && (misreadNote(error, source) ?? undeclaredNote(error, source))) ?? absentKeyNote(error, isMisspelt);
  return note === undefined ? [] : [note];
}

function errorsOf({ message, reason, details }: Status, source: PlacedSource | undefined): EditorFinding[] {
  const causes = details?.causes ?? [];
  if (causes.length > 0)
    return causes.flatMap((cause) => {
      const { field = '' } = cause;
      return compilerErrors(cause.message ?? '').map((text): EditorFinding => ({
        severity: text.includes(NOT_CHECKED) ? 'note' : 'error',
        ...(!NO_FIELD.has(field) && { field }),
        message: text,
        ...(cause.reason !== undefined && { reason: cause.reason }),
        ...placed(source && rangeOfCause(field, text, source)),
      }));
    });
  const about = { severity: 'error', ...(reason !== undefined && { reason }) } as const;
  const isSentence = message.includes(': strict decoding error: ') && message.includes(' cannot be handled as a ');
  const named = [...message.matchAll(isSentence ? DECODER_ERROR : UNKNOWN_FIELD)];
  if (named.length < 2) return [{ ...about, message, ...placed(namedRange(message, source)) }];
  // A server joins the errors of its decoder into one sentence. This code splits the sentence, to place each error.
  return named.map(([text]) => ({ ...about, message: `strict decoding error: ${text}`, ...placed(namedRange(text, source)) }));
}

/**
 * Splits the message of a Status cause into one message for each CEL compile error. Returns only the whole message if it contains no
 * compile error.
 */
function compilerErrors(message: string): readonly string[] {
  const [first = '', ...others] = message.split(/\n(?=ERROR: <input>:\d+:\d+: )/);
  const introduction = first.slice(0, Math.max(first.indexOf('ERROR: <input>:'), 0));
  return [first, ...others.map((error) => `${introduction}${error}`)];
}

/**
 * Returns a shorter message of a finding for display beside the source text, for example in an editor. Omits the quoted rule and the source
 * line that the CEL compiler repeats.
 */
export function briefMessage({ message }: EditorFinding): string {
  return message
    .replace(/^Invalid value: \{"Rule":.*?"OptionalOldSelf":(?:null|true|false)\}: /s, '')
    .replace(/^Invalid value: apiextensions\.ValidationRule\{.*?\}: (?=compilation failed)/s, '')
    .replace(/^Invalid value: "\w+": (?=rule compile error: )/, '')
    .replace(/^.* cannot be handled as a \S+: strict decoding error: /, 'strict decoding error: ')
    .replace(/ERROR: <input>:\d+:\d+: /, '')
    .replace(/(?:\n \| .*)+$/, '');
}

function rangeOfCause(field: string, message: string, source: PlacedSource): PlaceRange | undefined {
  if (NO_FIELD.has(field)) return pointAt(source.beginning);
  const written = source.writtenField(field);
  const ofRule = rangeInRule(written, message, source);
  if (ofRule !== undefined) return ofRule;
  const [, line, column] = CEL_PLACE.exec(message) ?? [];
  if (line === undefined || column === undefined) return source.rangeOf(written);
  const expression = source.textOf(written) ?? '';
  const at = offsetInExpression(expression, Number(line), Number(column));
  return source.rangeInField(written, at, lengthInExpression(expression, at, message)) ?? source.rangeOf(written);
}

/**
 * Returns the range in a rule that does not compile, if the server reports the rule's error in an error about a default value. Undefined
 * otherwise.
 */
function rangeInRule(field: string, message: string, source: PlacedSource): PlaceRange | undefined {
  const [, line, column, shown] = RULE_ERROR.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const characterOf = (rule: string): number | undefined => {
    const isMeant = rule.split('\n')[Number(line) - 1]?.replaceAll('\t', ' ') === shown;
    return isMeant ? offsetInExpression(rule, Number(line), Number(column)) : undefined;
  };
  return source.rangeUnder('rule', characterOf, field);
}

/**
 * Returns the range to which a message refers. The message contains a line of the YAML text, the name of an unknown field, or a field at
 * its beginning. Otherwise returns the beginning of the document. Undefined if there is no document.
 */
function namedRange(message: string, source: PlacedSource | undefined): PlaceRange | undefined {
  if (source === undefined) return undefined;
  const line = (YAML_LINE.exec(message) ?? DOUBLED_KEY.exec(message))?.[1];
  if (line !== undefined) return pointAt(source.placeOfLine(Number(line)));
  const [, , named] = message.matchAll(UNKNOWN_FIELD).next().value ?? [];
  if (named !== undefined) return source.rangeOf(named, 'name');
  const [field] = /^[\w$-]+(?:\.[\w$-]+|\[[^\]]*\])+(?=:)/.exec(message) ?? [];
  return field === undefined ? pointAt(source.beginning) : source.rangeOf(source.writtenField(field));
}

const pointAt = (place: Place): PlaceRange => ({ ...place, end: place });

function placed(range: PlaceRange | undefined): { readonly location?: FindingLocation } {
  if (range === undefined) return {};
  const { line, column, end } = range;
  return { location: { line, column, endLine: end.line, endColumn: end.column } };
}

/**
 * Returns a note if a finding reports that a rule reads a field that the schema preserves but does not declare. Returns undefined for any
 * other finding.
 */
function undeclaredNote({ message, field = '', location }: EditorFinding, source: PlacedSource): EditorFinding | undefined {
  const name = /undefined field '([^']+)'/.exec(message)?.[1];
  const node = /^(.*)\.x-kubernetes-validations\[\d+\]\.(?:rule|messageExpression)$/.exec(field)?.[1];
  if (name === undefined || node === undefined) return undefined;
  if (source.textOf(source.writtenField(`${node}.x-kubernetes-preserve-unknown-fields`)) !== 'true') return undefined;
  const words = `rules see only declared fields, also under x-kubernetes-preserve-unknown-fields: declare ${name} among the properties`;
  return { severity: 'note', message: words, ...(location && { location }) };
}

/** Pattern for a server's error message about an absent key. It captures the expression and the absent key that the expression reads. */
const ABSENT = /expression '([\s\S]*)' resulted in error: (?:.*: )?no such key: (.+)$/;

/** Returns true if a policy misspells a field: the type of the object does not declare the field. */
type IsMisspelt = (policy: string, field: string) => boolean;

/** Pattern that captures the name of the policy in a message about a request. */
const POLICY = /ValidatingAdmissionPolicy '([^']*)'/;

/**
 * Returns a note that advises to test for an absent field, if `message` is a policy error about reading this field. Returns undefined for
 * any other finding, and for a field that the policy misspells, because no test helps there.
 */
function absentKeyNote({ message, location }: EditorFinding, isMisspelt: IsMisspelt): EditorFinding | undefined {
  const [, expression = '', key] = ABSENT.exec(message) ?? [];
  if (key === undefined || isMisspelt(POLICY.exec(message)?.[1] ?? '', key)) return undefined;
  const [read] = expression.match(/[A-Za-z_]\w*(?:\.\w+)+/g)?.flatMap((path) => beginningWith(path, key)) ?? [];
  const words =
    read === undefined
      ? `${key} is absent in this request: test for it before it is read, a field with has(), a key of a map with in`
      : `${read} is absent in this request: test it before it is read, such as !has(${read}) || …, or has(${read}) && …`;
  return { severity: 'note', message: words, ...(location && { location }) };
}

/**
 * Returns a list with one element: the beginning of a field path, up to and including the step `name`. Returns an empty list if no step
 * after the first has this name.
 */
function beginningWith(path: string, name: string): readonly string[] {
  const steps = path.split('.');
  const at = steps.indexOf(name, 1);
  return at < 0 ? [] : [steps.slice(0, at + 1).join('.')];
}
