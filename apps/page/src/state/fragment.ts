import { MAX_TEXT_LENGTH, pageState } from './page-state.ts';
import type { PageState } from './page-state.ts';

/** Version of the link format that this module writes and reads. */
const VERSION = 'v1';
/** Highest length in characters of a fragment that is read. */
const MAX_READ = 4 * 1024 * 1024;
/** Maximum length of a URL fragment in a link to the page, in characters. Mail programs and chats truncate longer addresses. */
export const MAX_LINK_LENGTH = 32 * 1024;

/** Result of reading the page's state from the fragment of a URL. If any part of the fragment is invalid, no part of it is used. */
export type FragmentReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'state'; readonly state: PageState }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Returns a state as the fragment of a link, without `#`: `v1/` and its JSON, compressed (raw deflate) in base64url. */
export async function writeFragment(state: PageState): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const blocks = await blocksOf(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
  return `${VERSION}/${base64Url(blocks as Uint8Array)}`;
}

/**
 * Reads the state of the page from the fragment of a URL, without `#`. A fragment may come from anyone, so decompression stops as soon as
 * the result exceeds twice {@link MAX_TEXT_LENGTH}.
 */
export async function readFragment(fragment: string): Promise<FragmentReading> {
  if (fragment === '' || /^[\w-]*$/.test(fragment)) return { kind: 'none' };
  const [, version = '', packed = ''] = /^(v\d+)\/(.*)$/s.exec(fragment) ?? [];
  if (version === '') return unreadable('it is not in a form that this page writes');
  if (version !== VERSION) return unreadable(`it is written in the form ${version}, of another release; this page reads ${VERSION}`);
  if (fragment.length > MAX_READ) return unreadable('it is too long');
  const bytes = bytesOf(packed);
  if (bytes === undefined) return unreadable('it was changed or cut off on its way');
  try {
    const unpacked = await blocksOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')), 2 * MAX_TEXT_LENGTH);
    if (unpacked === undefined) return unreadable('it unpacks to more than this page holds');
    const result = pageState.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(unpacked)));
    return result.success ? { kind: 'state', state: result.data } : unreadable('what it holds is no state of this page');
  } catch {
    return unreadable('it was changed or cut off on its way');
  }
}

const unreadable = (why: string): FragmentReading => ({ kind: 'unreadable', why: `The link could not be read: ${why}.` });

/** Returns all bytes of a stream. If there are more than `most` bytes, stops reading and returns undefined. */
async function blocksOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      return undefined;
    }
    blocks.push(value);
  }
  return new Uint8Array(await new Blob(blocks).arrayBuffer());
}

function base64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
