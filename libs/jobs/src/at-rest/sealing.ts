import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { ContentKey } from './read-secrets.ts';

/**
 * Kind of a stored content. The kind is authenticated together with the content, so that content of one kind cannot be presented as another
 * kind.
 */
export type ContentKind = 'record' | 'chunk' | 'result' | 'definition' | 'study' | 'sample' | 'task' | 'answer';

/**
 * Error for stored content that this process cannot decrypt. Either the process does not have the encryption key, or the content was
 * changed.
 */
export class UnreadableContent extends Error {}

/**
 * First byte of encrypted content. Unencrypted content begins with another byte: a compression marker (0, 1), or V8's version tag (255).
 */
const SEALED = 2;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SAMPLE = Buffer.from('assay');

/**
 * Encryption of stored content. Content is encrypted with the first key, or stored unencrypted if there are no keys. Encrypted content is
 * AES-256-GCM: marker, length of the key's id, id, nonce, tag, text. Each content is decrypted with the key that its id names. Unencrypted
 * content remains readable. Operators can therefore introduce and replace keys while the service runs.
 */
export class Sealing {
  readonly #first: ContentKey | undefined;
  readonly #keys: ReadonlyMap<string, Buffer>;

  constructor(keys: readonly ContentKey[] = []) {
    this.#first = keys[0];
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** Encrypts bytes. Returns the bytes to store. Without a key, these are the given bytes. */
  seal(kind: ContentKind, content: Buffer): Buffer {
    const first = this.#first;
    if (!first) return content;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, first.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(kind));
    const text = [cipher.update(content), cipher.final()];
    return Buffer.concat([Buffer.of(SEALED, first.id.length), Buffer.from(first.id), nonce, cipher.getAuthTag(), ...text]);
  }

  /** Serializes and encrypts a value that consists of plain data. Returns the bytes to store. */
  pack(kind: ContentKind, value: unknown): Buffer {
    return this.seal(kind, serialize(value));
  }

  /**
   * Returns the value that was passed to {@link pack}. Throws {@link UnreadableContent} if no key decrypts the bytes, and V8's error if the
   * bytes are not the result of `pack`.
   */
  unpack(kind: ContentKind, stored: Uint8Array): unknown {
    return deserialize(this.open(kind, stored));
  }

  /**
   * Decrypts stored bytes; plain bytes are returned unchanged. Throws {@link UnreadableContent} if the key is missing or the content was
   * changed.
   */
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
   * Checks the encrypted sample that a storage keeps, so that a process with different keys fails when it starts. Returns a new sample to
   * store, or undefined if the stored sample `there` is still valid. Throws {@link UnreadableContent} if this process cannot decrypt the
   * stored sample.
   */
  sampleFor(there: Uint8Array | undefined): Uint8Array | undefined {
    if (there) this.open('sample', there);
    const current = there && keyIdOf(Buffer.from(there)) === this.#first?.id;
    return this.#first && !current ? this.seal('sample', SAMPLE) : undefined;
  }
}

const keyIdOf = (sealed: Buffer): string => sealed.subarray(2, 2 + (sealed[1] ?? 0)).toString();
