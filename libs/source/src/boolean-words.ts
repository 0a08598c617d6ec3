import type { Finding } from './findings.ts';
import type { PlacedSource } from './source-file.ts';

/** Unquoted words of which YAML 1.1, and so the server, makes booleans. Source: go.yaml.in/yaml/v2 resolve.go. */
const TRUE_WORDS = 'y|Y|yes|Yes|YES|on|On|ON';
const FALSE_WORDS = 'n|N|no|No|NO|off|Off|OFF';
const WORDS = `${TRUE_WORDS}|${FALSE_WORDS}`;
/** A rule that names a field whose key became `true` or `false`. */
const UNDEFINED_FIELD = new RegExp(`undefined field '(${WORDS})'`);
/** A field of an object whose key did. */
const UNKNOWN_FIELD = /unknown field "(?:[^"]*\.)?(true|false)"/;
/** A value that did. */
const NOT_A_STRING = /must be of type \w+: "boolean"/;
const IS_WORD = new RegExp(`^(?:${WORDS})$`);

/** Returns a note for a finding that is there only because YAML made a boolean of a word; undefined for any other finding. */
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

/** Returns the first of some words that is an unquoted key of the text. */
function keyIn({ text }: PlacedSource, words: string): string | undefined {
  return new RegExp(`(?:^|[\\s{,])(${words})[ \\t]*:(?:\\s|$)`, 'm').exec(text)?.[1];
}
