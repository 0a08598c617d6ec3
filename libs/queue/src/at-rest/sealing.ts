import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { ContentKey } from './content-keys.ts';

/** The kind of a stored content. It is authenticated with the content, so that nobody can pass one kind off as another. */
export type ContentKind = 'record' | 'chunk' | 'result' | 'definition' | 'study' | 'sample';

/** Content that cannot be read: by the keys that this process has, or because others wrote it. */
export class UnreadableContent extends Error {}

/** First byte of sealed content. Plain content begins with another byte: a form of compression (0, 1), or V8's version tag (255). */
const SEALED = 2;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SAMPLE = Buffer.from('assay');

/**
 * Seals content under the first key, and leaves it plain if there is no key. Sealed content is AES-256-GCM: marker, length of the key's id, id, nonce,
 * tag, text. Every key opens its own content, and plain content stays readable. So operators can introduce and replace keys while the service runs.
 */
export class Sealing {
  readonly #first: ContentKey | undefined;
  readonly #keys: ReadonlyMap<string, Buffer>;

  constructor(keys: readonly ContentKey[] = []) {
    this.#first = keys[0];
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  seal(kind: ContentKind, content: Uint8Array): Uint8Array {
    const first = this.#first;
    if (!first) return content;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, first.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(kind));
    const text = [cipher.update(content), cipher.final()];
    return Buffer.concat([Buffer.of(SEALED, first.id.length), Buffer.from(first.id), nonce, cipher.getAuthTag(), ...text]);
  }

  /** Returns a value, as plain data, in the form in which it is stored. */
  pack(kind: ContentKind, value: unknown): Buffer {
    const { buffer, byteOffset, byteLength } = this.seal(kind, serialize(value));
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** Returns the value that {@link pack} was given. Throws {@link UnreadableContent} if no key opens it, and V8's error if it was not packed. */
  unpack(kind: ContentKind, stored: Uint8Array): unknown {
    return deserialize(this.open(kind, stored));
  }

  /** Throws {@link UnreadableContent}. */
  open(kind: ContentKind, stored: Uint8Array): Buffer {
    const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
    if (bytes[0] !== SEALED) return bytes;
    const id = keyIdOf(bytes);
    const key = this.#keys.get(id);
    if (!key)
      throw new UnreadableContent(
        `what is stored is encrypted under the key ${JSON.stringify(id)}, which ASSAY_ENCRYPTION_KEYS_FILE does not hold`,
      );
    const rest = bytes.subarray(2 + id.length);
    const decipher = createDecipheriv(CIPHER, key, rest.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(kind))
      .setAuthTag(rest.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(rest.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    } catch (error) {
      const words = `what is stored does not open with the key ${JSON.stringify(id)} of ASSAY_ENCRYPTION_KEYS_FILE: the key is another, or the content was changed`;
      throw new UnreadableContent(words, { cause: error });
    }
  }

  /**
   * A storage keeps a sample of how its content is sealed, so that a process with other keys learns it when it starts. Given the sample that is there
   * gives the one to keep, undefined where that is the same. Throws {@link UnreadableContent}.
   */
  sampleFor(there: Uint8Array | undefined): Uint8Array | undefined {
    if (there) this.open('sample', there);
    const current = there && keyIdOf(Buffer.from(there)) === this.#first?.id;
    return this.#first && !current ? this.seal('sample', SAMPLE) : undefined;
  }
}

const keyIdOf = (sealed: Buffer): string => sealed.subarray(2, 2 + (sealed[1] ?? 0)).toString();
