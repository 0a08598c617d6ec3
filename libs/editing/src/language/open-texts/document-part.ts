import { isJsonObject, readJson, readYaml, utf8Length } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { MAX_BODY_BYTES } from '#kube';
import { PlacedSource } from '../../texts/source-file.ts';
import { SourceDocument } from '../../texts/source-document.ts';
import { TextLines } from '../../texts/line-index.ts';
import type { EditedEntry, KeyPath } from '../../texts/edit-entry.ts';

/**
 * One document of an edited YAML or JSON text, that is, the text between two separators. The object is immutable: {@link edited} returns a
 * new object for the new text. Both objects share all values that the edit did not change.
 */
export class DocumentPart {
  readonly text: string;
  readonly source: SourceDocument;
  readonly #reading: Reading;
  #lines: TextLines | undefined;

  private constructor(text: string, source: SourceDocument, reading: Reading) {
    this.text = text;
    this.source = source;
    this.#reading = reading;
  }

  /** Parses a text and returns the document. */
  static of(text: string): DocumentPart {
    const part = new DocumentPart(text, new SourceDocument(text), readingOf(text));
    // Computes the positions now, because a user accepts a wait when a text opens, but not at a key press.
    if (part.#reading.kind === 'plain') part.source.read();
    return part;
  }

  /** Returns the state of the document after an edit. `text` is the complete new text. */
  edited(text: string): DocumentPart {
    if (this.#reading.kind === 'plain') this.source.read();
    const { document, entry } = this.source.edited(text);
    const value = entry === undefined ? undefined : valueWith(this.#reading, entry);
    return new DocumentPart(text, document, value === undefined ? readingOf(text) : { kind: 'plain', value });
  }

  /** Parsed object of the document. Undefined if the text has syntax errors or is not an object. */
  get object(): JsonObject | undefined {
    return this.#reading.kind !== 'unreadable' && isJsonObject(this.#reading.value) ? this.#reading.value : undefined;
  }

  /**
   * Request body for a server. It is the parsed object if the object contains all information that a server needs. Otherwise, it is the
   * text, which may contain duplicate keys.
   */
  get body(): JsonObject | string {
    return this.#reading.kind === 'plain' && isJsonObject(this.#reading.value) ? this.#reading.value : this.text;
  }

  /** Syntax error in the words of Go, with its line, counted from 1. Undefined if the text has no syntax error. */
  get syntaxError(): { readonly message: string; readonly line: number } | undefined {
    return this.#reading.kind === 'unreadable' ? this.#reading : undefined;
  }

  /** True if the document is written in JSON. */
  get isJson(): boolean {
    return isJsonText(this.text);
  }

  get isEmpty(): boolean {
    return this.#reading.kind !== 'unreadable' && this.#reading.value === null;
  }

  /**
   * Returns the positions of values in the document. Lines are counted from 1 at the start of the document. If `item` is given, the paths
   * start at this item of a list of objects.
   */
  placed(item?: number): PlacedSource {
    this.#lines ??= new TextLines(this.text, { line: 1, column: 1 });
    return new PlacedSource(this.source, this.#lines, item);
  }
}

/**
 * Result of parsing a text. `plain`: the value contains all information that a server needs. `remarkable`: the server needs the text
 * itself, for example because of duplicate keys. `unreadable`: the text has a syntax error.
 */
type Reading =
  | { readonly kind: 'plain' | 'remarkable'; readonly value: JsonValue }
  | { readonly kind: 'unreadable'; readonly message: string; readonly line: number };

const isJsonText = (text: string): boolean => /^\s*[{[]/.test(text);

function readingOf(text: string): Reading {
  if (isJsonText(text)) {
    const json = readJson(text);
    if (json.ok) return { kind: 'remarkable', value: json.value };
    // A text with braces may also be YAML. If both parsers refuse the text, the result has the error of the JSON parser.
    const yaml = readYaml(text);
    return yaml.ok ? { kind: 'remarkable', value: yaml.value } : { kind: 'unreadable', message: json.error, line: yaml.line };
  }
  const yaml = readYaml(text);
  if (!yaml.ok) return { kind: 'unreadable', message: yaml.error, line: yaml.line };
  // All versions use the parsed value of a `plain` document, so they need not parse the text again. A server rejects a longer text for its
  // length, so that text stays a text.
  const isPlain = yaml.duplicates.length === 0 && utf8Length(text) <= MAX_BODY_BYTES;
  return { kind: isPlain ? 'plain' : 'remarkable', value: yaml.value };
}

/** Returns the value of the document after one entry was edited. Returns undefined if the whole document must be parsed again. */
function valueWith(reading: Reading, { path, text }: EditedEntry): JsonValue | undefined {
  if (reading.kind !== 'plain') return undefined;
  const entry = readYaml(text);
  if (!entry.ok || entry.duplicates.length > 0) return undefined;
  const step = path.at(-1);
  const value =
    typeof step === 'number'
      ? firstOf(entry.value)
      : isJsonObject(entry.value) && step !== undefined
        ? onlyOf(entry.value, step)
        : undefined;
  return value === undefined ? undefined : replaced(reading.value, path, value);
}

const firstOf = (value: JsonValue): JsonValue | undefined => (Array.isArray(value) && value.length === 1 ? value[0] : undefined);

const onlyOf = (object: JsonObject, key: string): JsonValue | undefined => (Object.keys(object).length === 1 ? object[key] : undefined);

function replaced(value: JsonValue, path: KeyPath, to: JsonValue): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  const known = typeof step === 'number' ? (Array.isArray(value) ? value[step] : undefined) : isJsonObject(value) ? value[step] : undefined;
  if (known === undefined) return undefined;
  const changed = replaced(known, rest, to);
  if (changed === undefined) return undefined;
  if (Array.isArray(value)) return value.with(step as number, changed);
  return Object.assign(Object.create(null) as JsonObject, value, { [step]: changed });
}
