import { isJsonObject, readJson, readYaml, utf8Length } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { MAX_BODY_BYTES } from '#kube';
import { PlacedSource, SourceDocument, TextLines } from '#source';
import type { EditedEntry, ValuePath } from '#source';

/**
 * One document of a text: what stands between two separators. It never changes; {@link edited} makes the next one out of it, which shares what is as before.
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

  /** Reads a text. */
  static of(text: string): DocumentPart {
    const part = new DocumentPart(text, new SourceDocument(text), readingOf(text));
    // Whoever opens a text waits for it; whoever types does not.
    if (part.#reading.kind === 'plain') part.source.read();
    return part;
  }

  /** The document after an edit. */
  edited(text: string): DocumentPart {
    if (this.#reading.kind === 'plain') this.source.read();
    const { document, entry } = this.source.edited(text);
    const value = entry === undefined ? undefined : valueWith(this.#reading, entry);
    return new DocumentPart(text, document, value === undefined ? readingOf(text) : { kind: 'plain', value });
  }

  /** The object; undefined where the text is none, or has syntax errors. */
  get object(): JsonObject | undefined {
    return this.#reading.kind !== 'unreadable' && isJsonObject(this.#reading.value) ? this.#reading.value : undefined;
  }

  /** The body for a server: the object if it holds all facts; else the text, for its duplicate keys. */
  get body(): JsonObject | string {
    return this.#reading.kind === 'plain' && isJsonObject(this.#reading.value) ? this.#reading.value : this.text;
  }

  /** Why the text is no document, in Go's words, and the line of it, from 1; undefined where it is one. */
  get syntaxError(): { readonly message: string; readonly line: number } | undefined {
    return this.#reading.kind === 'unreadable' ? this.#reading : undefined;
  }

  /** True if it is written in JSON. */
  get isJson(): boolean {
    return isJsonText(this.text);
  }

  get isEmpty(): boolean {
    return this.#reading.kind !== 'unreadable' && this.#reading.value === null;
  }

  /** Its places, lines counted from 1 at its own beginning; `item` of a list of objects. */
  placed(item?: number): PlacedSource {
    this.#lines ??= new TextLines(this.text, { line: 1, column: 1 });
    return new PlacedSource(this.source, this.#lines, item);
  }
}

/** The reading of a text. `plain`: its value holds all that a server would see. */
type Reading =
  | { readonly kind: 'plain' | 'remarkable'; readonly value: JsonValue }
  | { readonly kind: 'unreadable'; readonly message: string; readonly line: number };

const isJsonText = (text: string): boolean => /^\s*[{[]/.test(text);

function readingOf(text: string): Reading {
  if (isJsonText(text)) {
    const json = readJson(text);
    if (json.ok) return { kind: 'remarkable', value: json.value };
    // YAML has flow maps; what neither reads is called broken JSON.
    const yaml = readYaml(text);
    return yaml.ok ? { kind: 'remarkable', value: yaml.value } : { kind: 'unreadable', message: json.error, line: yaml.line };
  }
  const yaml = readYaml(text);
  if (!yaml.ok) return { kind: 'unreadable', message: yaml.error, line: yaml.line };
  // The value stands for the text, so that minors need not read it again; a server refuses a longer text as such.
  const isPlain = yaml.duplicates.length === 0 && utf8Length(text) <= MAX_BODY_BYTES;
  return { kind: isPlain ? 'plain' : 'remarkable', value: yaml.value };
}

/** Returns the value with the edited entry in it; undefined where it has to be read whole. */
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

function replaced(value: JsonValue, path: ValuePath, to: JsonValue): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  const known = typeof step === 'number' ? (Array.isArray(value) ? value[step] : undefined) : isJsonObject(value) ? value[step] : undefined;
  if (known === undefined) return undefined;
  const changed = replaced(known, rest, to);
  if (changed === undefined) return undefined;
  if (Array.isArray(value)) return value.with(step as number, changed);
  return Object.assign(Object.create(null) as JsonObject, value, { [step]: changed });
}
