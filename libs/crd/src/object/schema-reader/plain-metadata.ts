import { newJsonObject } from '#go';
import type { ByteCursor, JsonObject } from '#go';
import { checkDns1123Label, checkDns1123Subdomain, checkLabelValue, checkQualifiedName } from '#kube';
import type { MetaWording } from '#kube';
import { isLabelAt, isLabelValueAt, isQualifiedNameAt, isSubdomainAt } from './name-bytes.ts';

const OPEN = 0x7b;
const CLOSE = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Function that returns true if a text is a valid name. In most cases the bytes decide; a text with escapes is checked as a string. */
type TextCheck = (text: string, bytes: Uint8Array, from: number, to: number) => boolean;

/** Checks of the keys and values of a map of texts in metadata, such as labels. */
interface TextMap {
  readonly isKey: TextCheck;
  readonly isValue: TextCheck;
}

/**
 * Reader of simple metadata: valid metadata that contain only name, namespace, labels and annotations, without empty names and maps. It
 * reads the bytes of the JSON document directly, and returns undefined for all other metadata.
 */
export class PlainMetadata {
  readonly #isName: TextCheck = (text, bytes, from, to) => isSubdomainAt(bytes, from, to) || checkDns1123Subdomain(text).length === 0;
  readonly #isNamespace: TextCheck = (text, bytes, from, to) => isLabelAt(bytes, from, to) || checkDns1123Label(text).length === 0;
  readonly #labels: TextMap;
  readonly #annotations: TextMap;

  /** @param wording Wording of errors. It has no effect, because no errors are produced. */
  constructor(wording: MetaWording) {
    this.#labels = {
      isKey: (text, bytes, from, to) => isQualifiedNameAt(bytes, from, to, false) || checkQualifiedName(text, wording).length === 0,
      isValue: (text, bytes, from, to) => isLabelValueAt(bytes, from, to) || checkLabelValue(text, wording).length === 0,
    };
    this.#annotations = {
      isKey: (text, bytes, from, to) =>
        isQualifiedNameAt(bytes, from, to, true) || checkQualifiedName(text.toLowerCase(), wording).length === 0,
      isValue: () => true,
    };
  }

  read(cursor: ByteCursor): JsonObject | undefined {
    const metadata = newJsonObject();
    if (!openObject(cursor)) return undefined;
    for (;;) {
      const key = cursor.key();
      if (key === undefined || metadata[key] !== undefined || !passColon(cursor)) return undefined;
      const value = this.#field(cursor, key);
      if (value === undefined) return undefined;
      metadata[key] = value;
      const next = passNext(cursor);
      if (next !== COMMA) return next === CLOSE ? metadata : undefined;
    }
  }

  #field(cursor: ByteCursor, key: string): JsonObject | string | undefined {
    switch (key) {
      case 'name':
        return readText(cursor, this.#isName);
      case 'namespace':
        return readText(cursor, this.#isNamespace);
      case 'labels':
        return readTexts(cursor, this.#labels);
      case 'annotations':
        return readTexts(cursor, this.#annotations);
      default:
        return undefined;
    }
  }
}

/** Reads a text that is valid and not empty. Returns undefined for all other values. */
function readText(cursor: ByteCursor, isFine: TextCheck): string | undefined {
  const text = readChecked(cursor, isFine);
  return text === '' ? undefined : text;
}

function readChecked(cursor: ByteCursor, isFine: TextCheck): string | undefined {
  const from = cursor.at + 1;
  const text = cursor.string();
  return text !== undefined && isFine(text, cursor.bytes, from, cursor.at - 1) ? text : undefined;
}

/** Reads a map of texts in which all keys and values are valid. Returns undefined for all other values. */
function readTexts(cursor: ByteCursor, { isKey, isValue }: TextMap): JsonObject | undefined {
  const texts = newJsonObject();
  if (!openObject(cursor)) return undefined;
  for (;;) {
    const from = cursor.at + 1;
    const key = cursor.key();
    if (key === undefined || texts[key] !== undefined || !isKey(key, cursor.bytes, from, cursor.at - 1)) return undefined;
    const value = passColon(cursor) ? readChecked(cursor, isValue) : undefined;
    if (value === undefined) return undefined;
    texts[key] = value;
    const next = passNext(cursor);
    if (next !== COMMA) return next === CLOSE ? texts : undefined;
  }
}

function openObject(cursor: ByteCursor): boolean {
  if (cursor.bytes[cursor.at] !== OPEN) return false;
  cursor.at = cursor.skip(cursor.at + 1);
  return true;
}

function passColon(cursor: ByteCursor): boolean {
  const at = cursor.skip(cursor.at);
  cursor.at = cursor.skip(at + 1);
  return cursor.bytes[at] === COLON;
}

/** Returns the byte after a value, such as a comma or a bracket. Moves the cursor past this byte and the space around it. */
function passNext(cursor: ByteCursor): number | undefined {
  const at = cursor.skip(cursor.at);
  cursor.at = cursor.skip(at + 1);
  return cursor.bytes[at];
}
