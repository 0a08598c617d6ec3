import { createHash } from 'node:crypto';
import { FEATURE_GATES } from '#kube';
import type { FeatureGates, Server } from '#kube';
import type { DefinitionText } from './chunk.ts';
import { areOwn } from './seen-texts.ts';
import { inSteps, STEP_BYTES } from './in-steps.ts';
import type { DocumentSlice } from './item.ts';

/** Changes whenever compiled definitions of an older build must not be taken for ours. */
const FORMAT = 'assay-definition-2';

/** SHA-256 (hex) over the raw text, its notation and the server's minor and gates, each with its length before it. Always computed here, never taken from a client. */
function definitionDigest(slice: DocumentSlice, { minor, gates }: Server): string {
  const switches = switchesOf(gates);
  if (!areOwn(slice.bytes)) return digestOf(slice, minor, switches);
  const server = `${minor} ${slice.notation} ${switches}`;
  const known = digests.get(slice.bytes);
  const found = known?.get(server);
  if (found !== undefined) return found;
  const digest = digestOf(slice, minor, switches);
  if (known) known.set(server, digest);
  else digests.set(slice.bytes, new Map([[server, digest]]));
  return digest;
}

/** Digests by server, of bytes that come again and again. */
const digests = new WeakMap<Uint8Array, Map<string, string>>();

/** Gates as text: those of a minor are one object for all requests. */
function switchesOf(gates: FeatureGates): string {
  const known = switches.get(gates);
  if (known !== undefined) return known;
  const text = FEATURE_GATES.map((gate) => `${gate}=${gates[gate]}`).join(',');
  switches.set(gates, text);
  return text;
}

const switches = new WeakMap<FeatureGates, string>();

function digestOf(slice: DocumentSlice, minor: string, switches: string): string {
  const hash = createHash('sha256');
  for (const part of [FORMAT, minor, switches, slice.notation]) hash.update(`${part.length}:${part}`);
  return hash.update(`${slice.bytes.length}:`).update(slice.bytes).digest('hex');
}

/** Returns a definition as a server is to judge it. */
export function definitionText(slice: DocumentSlice, { minor, gates }: Server): DefinitionText {
  return { digest: definitionDigest(slice, { minor, gates }), slice, minor, gates };
}

/** Definitions as a server is to judge them. Digests of many take long: others may run in between. */
export function definitionTexts(slices: readonly DocumentSlice[], server: Server): Promise<DefinitionText[]> {
  return inSteps(textSteps(slices, server));
}

function* textSteps(slices: readonly DocumentSlice[], server: Server): Generator<undefined, DefinitionText[]> {
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
