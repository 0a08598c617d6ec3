import type { Finding } from './findings.ts';
import type { PlacedSource } from './source-file.ts';

/** Unquoted words that YAML 1.1, and therefore the server, reads as `true`. Source: go.yaml.in/yaml/v2 resolve.go. */
const TRUE_WORDS = 'y|Y|yes|Yes|YES|on|On|ON';
const FALSE_WORDS = 'n|N|no|No|NO|off|Off|OFF';
const WORDS = `${TRUE_WORDS}|${FALSE_WORDS}`;
/** Pattern of an error about a rule that reads a field whose unquoted key YAML read as `true` or `false`. */
const UNDEFINED_FIELD = new RegExp(`undefined field '(${WORDS})'`);
/** Pattern of a warning or error about an object's field whose unquoted key YAML read as `true` or `false`. */
const UNKNOWN_FIELD = /unknown field "(?:[^"]*\.)?(true|false)"/;
/** Pattern of an error about a value that YAML read as a boolean although the schema requires another type. */
const NOT_A_STRING = /must be of type \w+: "boolean"/;
const IS_WORD = new RegExp(`^(?:${WORDS})$`);

/** Returns a note for a finding that exists only because YAML read an unquoted word as a boolean; undefined for any other finding. */
export function booleanNote(finding: Finding, source: PlacedSource): Finding | undefined {
  const word = wordOf(finding, source);
  if (word === undefined) return undefined;
  const { location } = finding;
  const message = `YAML 1.1, which the server reads, makes a boolean of the unquoted word ${word}: write "${word}"`;
  return { severity: 'note', message, ...(location && { location }) };
}

function wordOf({ message, field }: Finding, source: PlacedSource): string | undefined {
  const named = UNDEFINED_FIELD.exec(message)?.[1];
  if (named !== undefined) return keyIn(source, named);
  const key = UNKNOWN_FIELD.exec(message)?.[1];
  if (key !== undefined) return keyIn(source, key === 'true' ? TRUE_WORDS : FALSE_WORDS);
  const value = field !== undefined && NOT_A_STRING.test(message) ? source.textOf(source.writtenField(field)) : undefined;
  return value !== undefined && IS_WORD.test(value) ? value : undefined;
}

/** Returns the first unquoted key in the text that is one of `words`; undefined if there is none. `words` are separated by `|`. */
function keyIn({ text }: PlacedSource, words: string): string | undefined {
  return new RegExp(`(?:^|[\\s{,])(${words})[ \\t]*:(?:\\s|$)`, 'm').exec(text)?.[1];
}
