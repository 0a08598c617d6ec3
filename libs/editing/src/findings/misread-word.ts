import { resolvePlain } from '#go';
import type { YamlScalar } from '#go';
import type { EditorFinding, FindingLocation } from './findings.ts';
import type { PlaceRange } from '../texts/line-index.ts';
import type { PlacedSource } from '../texts/source-file.ts';

/** Unquoted words that YAML 1.1, and therefore the server, reads as `true`. Source: go.yaml.in/yaml/v2 resolve.go. */
const TRUE_WORDS = 'y|Y|yes|Yes|YES|on|On|ON';
const FALSE_WORDS = 'n|N|no|No|NO|off|Off|OFF';
const WORDS = `${TRUE_WORDS}|${FALSE_WORDS}`;
/** Pattern of an error about a rule that reads a field whose unquoted key YAML read as `true` or `false`. */
const UNDEFINED_FIELD = new RegExp(`undefined field '(${WORDS})'`);
/** Pattern of a warning or error about an object's field whose unquoted key YAML read as `true` or `false`. */
const UNKNOWN_FIELD = /unknown field "(?:[^"]*\.)?(true|false)"/;
/** Pattern of an error about a value that YAML did not read as a text although the schema requires a text. */
const NOT_A_TEXT = /must be of type string: "(?:boolean|integer|number|null)"/;
/**
 * Pattern of an error about a value that Go cannot decode into a string. It captures the type of the value and the path of the Go field:
 * `ObjectMeta.labels`. The path contains neither indices nor keys of maps.
 */
const NOT_A_GO_STRING = /json: cannot unmarshal (bool|number) into Go struct field (\S+) of type string$/;
/** Maximum length of a text that a note repeats, in UTF-16 code units. */
const MAX_LENGTH = 100;
const IS_WORD = new RegExp(`^(?:${WORDS})$`);

/**
 * Returns a note for a finding that exists because YAML read a text without quotes as a boolean, a number or null. Returns undefined for
 * any other finding.
 */
export function misreadNote(finding: EditorFinding, source: PlacedSource): EditorFinding | undefined {
  const { message, field, location } = finding;
  const note = (words: string | undefined, at = location): EditorFinding | undefined =>
    words === undefined ? undefined : { severity: 'note', message: words, ...(at && { location: at }) };
  const key = misreadKey(message, source);
  if (key !== undefined) return note(booleanWords(key));
  const undecoded = NOT_A_GO_STRING.exec(message);
  if (undecoded !== null) {
    const found = undecodedScalar(undecoded[1] ?? '', undecoded[2] ?? '', source);
    return found && note(wordsOf(found.text, { explainsBooleans: true }), locationOf(found.range));
  }
  const value = field !== undefined && NOT_A_TEXT.test(message) ? source.textOf(source.writtenField(field)) : undefined;
  return value === undefined ? undefined : note(wordsOf(value));
}

const booleanWords = (word: string): string =>
  `YAML 1.1, which the server reads, makes a boolean of the unquoted word ${word}: write "${word}"`;

/**
 * Returns words for a text without quotes that is no string to the server. For `null`, and for `true` and `false` unless
 * `explainsBooleans` is true, there are no words, because nobody takes them for a text.
 */
function wordsOf(text: string, { explainsBooleans = false } = {}): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (IS_WORD.test(text)) return booleanWords(text);
  const read = resolvePlain(text);
  switch (read.kind) {
    case 'bool':
      return explainsBooleans ? `a text is expected, and ${text} without quotes is a boolean: write "${text}"` : undefined;
    case 'null':
      // The word `null` itself is not a mistake.
      if (text === 'null') return undefined;
      return text === ''
        ? 'YAML reads an empty value as null: write "" for an empty text'
        : `YAML 1.1, which the server reads, makes null of the unquoted word ${text}: write "${text}"`;
    case 'int':
    case 'float':
      return numberWords(text, read);
    case 'string':
      return undefined;
  }
}

function numberWords(text: string, { value }: Extract<YamlScalar, { kind: 'int' | 'float' }>): string {
  return String(value) === text
    ? `a text is expected, and ${text} without quotes is a number: write "${text}"`
    : `YAML 1.1, which the server reads, makes the number ${value} of the unquoted text ${text}: write "${text}"`;
}

/** Returns the unquoted key to which a message about a field refers, if YAML read the key as a boolean. Undefined otherwise. */
function misreadKey(message: string, source: PlacedSource): string | undefined {
  const named = UNDEFINED_FIELD.exec(message)?.[1];
  if (named !== undefined) return keyIn(source, named);
  const key = UNKNOWN_FIELD.exec(message)?.[1];
  return key === undefined ? undefined : keyIn(source, key === 'true' ? TRUE_WORDS : FALSE_WORDS);
}

/** Returns the first unquoted key in the text that is one of `words`; undefined if there is none. `words` are separated by `|`. */
function keyIn({ text }: PlacedSource, words: string): string | undefined {
  return new RegExp(`(?:^|[\\s{,])(${words})[ \\t]*:(?:\\s|$)`, 'm').exec(text)?.[1];
}

/**
 * Returns the first scalar without quotes that Go could not decode into the field at `goPath`, with its range. `type` is Go's word for the
 * type of the value. Undefined if there is none.
 */
function undecodedScalar(
  type: string,
  goPath: string,
  source: PlacedSource,
): { readonly text: string; readonly range: PlaceRange } | undefined {
  const [struct = '', ...fields] = goPath.split('.');
  const name = fields.at(-1);
  const within = struct === 'ObjectMeta' ? 'metadata' : undefined;
  return source.plainScalar(({ path, text }) => {
    const { kind } = resolvePlain(text);
    const isOfType = type === 'bool' ? kind === 'bool' : kind === 'int' || kind === 'float';
    // The value may be an entry of a list or map in the field. Then the name of the field is the second-last step.
    const isInField = path.at(-1) === name || path.at(-2) === name;
    return isOfType && isInField && (within === undefined || path[0] === within);
  });
}

const locationOf = ({ line, column, end }: PlaceRange): FindingLocation => ({ line, column, endLine: end.line, endColumn: end.column });
