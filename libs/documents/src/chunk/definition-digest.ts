import { memoizeWeak } from '#go';
import { createHash } from 'node:crypto';
import { FEATURE_GATES } from '#kube';
import type { FeatureGates, Server } from '#kube';
import type { DefinitionText } from './chunk.ts';
import { ownsBuffer } from '../scan/seen-texts.ts';
import { runInSteps, STEP_BYTES } from '../scan/run-in-steps.ts';
import type { DefinitionSlice, DocumentSlice } from '../item/item.ts';

/** Version of the format of compiled definitions. It changes if definitions that an older build compiled must not be reused. */
const FORMAT = 'assay-definition-2';

/**
 * Returns the SHA-256 digest (hex) of a definition's raw text, its notation, and the server's minor version and feature gates. Each part is
 * prefixed with its length. The service always computes the digest itself and never accepts one from a client.
 */
function definitionDigest(slice: DocumentSlice, { minor, gates }: Server): string {
  const switches = switchesOf(gates);
  if (!ownsBuffer(slice.bytes)) return digestOf(slice, minor, switches);
  const server = `${minor} ${slice.notation} ${switches}`;
  const known = digests.get(slice.bytes);
  const found = known?.get(server);
  if (found !== undefined) return found;
  const digest = digestOf(slice, minor, switches);
  if (known) known.set(server, digest);
  else digests.set(slice.bytes, new Map([[server, digest]]));
  return digest;
}

/** Cache of digests by bytes and server. It has entries only for bytes that are kept because clients send them repeatedly. */
const digests = new WeakMap<Uint8Array, Map<string, string>>();

/** Returns the gates as text. All requests for a minor version with default gates share one gates object. */
const switchesOf = memoizeWeak((gates: FeatureGates) => FEATURE_GATES.map((gate) => `${gate}=${gates[gate]}`).join(','));

function digestOf(slice: DocumentSlice, minor: string, switches: string): string {
  const hash = createHash('sha256');
  for (const part of [FORMAT, minor, switches, slice.notation]) hash.update(`${part.length}:${part}`);
  return hash.update(`${slice.bytes.length}:`).update(slice.bytes).digest('hex');
}

/** Returns the text of a definition with its digest and with the {@link Server} that validates it. */
export function definitionText(slice: DefinitionSlice, { minor, gates }: Server): DefinitionText {
  return { digest: definitionDigest(slice, { minor, gates }), slice, minor, gates };
}

/**
 * Returns the texts of several definitions with their digests and with the {@link Server} that validates them. Computing many digests takes
 * long, so other work can run after each {@link STEP_BYTES} of definitions.
 */
export function definitionTexts(slices: readonly DefinitionSlice[], server: Server): Promise<DefinitionText[]> {
  return runInSteps(textSteps(slices, server));
}

function* textSteps(slices: readonly DefinitionSlice[], server: Server): Generator<undefined, DefinitionText[]> {
  const texts: DefinitionText[] = [];
  let bytes = 0;
  for (const slice of slices) {
    texts.push(definitionText(slice, server));
    bytes += slice.bytes.length;
    if (bytes >= STEP_BYTES) {
      bytes = 0;
      yield;
    }
  }
  return texts;
}
