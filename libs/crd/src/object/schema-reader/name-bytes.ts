const DASH = 1;
const DOT = 2;
const UNDERSCORE = 3;
const UPPER = 4;
const LOWER = 5;

/**
 * Table that maps each byte to its kind in names. Only letters and digits have a kind of `UPPER` or higher. The kind 0 means that names
 * cannot contain the byte.
 */
const KINDS = kinds();

function kinds(): Uint8Array {
  const table = new Uint8Array(256);
  const fill = (first: string, last: string, kind: number): void => void table.fill(kind, first.charCodeAt(0), last.charCodeAt(0) + 1);
  fill('-', '-', DASH);
  fill('.', '.', DOT);
  fill('_', '_', UNDERSCORE);
  fill('A', 'Z', UPPER);
  fill('a', 'z', LOWER);
  fill('0', '9', LOWER);
  return table;
}

const LABEL_LENGTH = 63;
const SUBDOMAIN_LENGTH = 253;
const SLASH = 0x2f;

/**
 * Fast checks of names in the bytes of a document, which produce no errors. `true` means that the checks of `libs/kube/src/names.ts` accept
 * the name. `false` is inconclusive.
 */

/** Returns true if the bytes between two offsets are a lowercase RFC 1123 subdomain. */
export function isSubdomainAt(bytes: Uint8Array, from: number, to: number): boolean {
  return isDottedAt(bytes, from, to, LOWER);
}

/** Returns true if the bytes between two offsets are a lowercase RFC 1123 label. */
export function isLabelAt(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > LABEL_LENGTH || !isDottedAt(bytes, from, to, LOWER)) return false;
  for (let at = from; at < to; at++) if (KINDS[bytes[at] as number] === DOT) return false;
  return true;
}

/** @param least Lowest accepted kind of byte: `LOWER`, or `UPPER` if capital letters are allowed. */
function isDottedAt(bytes: Uint8Array, from: number, to: number, least: number): boolean {
  if (to - from > SUBDOMAIN_LENGTH) return false;
  let before = DOT;
  for (let at = from; at < to; at++) {
    const kind = KINDS[bytes[at] as number] as number;
    if (kind < least && !(kind === DASH && before !== DOT) && !(kind === DOT && before >= least)) return false;
    before = kind;
  }
  return before >= least;
}

/**
 * Returns true if the bytes between two offsets are a qualified name: an optional subdomain with a slash, and a name.
 * @param isCaseless True if capital letters are allowed in the subdomain.
 */
export function isQualifiedNameAt(bytes: Uint8Array, from: number, to: number, isCaseless: boolean): boolean {
  let slash = to - 1;
  while (slash >= from && bytes[slash] !== SLASH) slash -= 1;
  const isName = slash < to - 1 && isNameAt(bytes, slash + 1, to);
  return isName && (slash < from || isDottedAt(bytes, from, slash, isCaseless ? UPPER : LOWER));
}

/** Returns true if the bytes between two offsets are a valid label value. */
export function isLabelValueAt(bytes: Uint8Array, from: number, to: number): boolean {
  return from === to || isNameAt(bytes, from, to);
}

function isNameAt(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > LABEL_LENGTH) return false;
  if ((KINDS[bytes[from] as number] as number) < UPPER || (KINDS[bytes[to - 1] as number] as number) < UPPER) return false;
  for (let at = from; at < to; at++) if (KINDS[bytes[at] as number] === 0) return false;
  return true;
}
