import { describe, expect, it } from 'vitest';
import { latestServer } from '#kube';
import { definitionText } from '../chunk/definition-digest.ts';
import { ownsBuffer, SeenTexts } from './seen-texts.ts';
import type { CutDocument, DocumentSlice } from '../item/item.ts';
import { splitEnvelope } from '../request/split-envelope.ts';

const text = (name: string, bytes = 400): Buffer => Buffer.from(`{"a":"${name.padEnd(bytes, 'x')}"}`);
/** Returns the offset in the body at which a document begins. The document was cut out of the body, or is known from an earlier body. */
const placeOf = ({ bytes, origin }: DocumentSlice & Partial<CutDocument>, body: Buffer | undefined): number =>
  origin?.start ?? bytes.byteOffset - (body?.byteOffset ?? 0);
const bodyOf = (...parts: (Buffer | string)[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)));

describe('texts that SeenTexts remembers', () => {
  it('are found only for equal bytes', () => {
    const seen = new SeenTexts();
    const one = text('one');
    const copy = seen.learn(one);
    const body = bodyOf('[', one, ',', text('two'), ']');
    const found = seen.find(body, 1);
    expect(found && Buffer.compare(found, one)).toBe(0);
    expect(found).toBe(copy);
    expect(found && ownsBuffer(found)).toBe(true);
    expect(seen.find(body, 0)).toBeUndefined();
    expect(seen.find(body, one.length + 2)).toBeUndefined();
    expect(seen.find(one.subarray(0, -1), 0)).toBeUndefined();
  });

  it('are distinguished from texts with the same beginning', () => {
    const seen = new SeenTexts();
    const versions = ['1', '2', '3'].map((end) => Buffer.from(`{"a":"${'x'.repeat(300)}","b":${end}}`));
    for (const version of versions) seen.learn(version);
    for (const version of versions) expect(seen.find(bodyOf(version, ','), 0)?.length).toBe(version.length);
    expect(seen.find(Buffer.from(`{"a":"${'x'.repeat(300)}","b":4}`), 0)).toBeUndefined();
  });

  it('are limited in number: a full memory forgets the least recently used text first', () => {
    const seen = new SeenTexts(1000);
    const [one, two, three] = [text('one'), text('two'), text('three')] as const;
    seen.learn(one);
    seen.learn(two);
    seen.find(one, 0);
    seen.learn(three);
    expect([one, two, three].map((each) => seen.find(each, 0) !== undefined)).toEqual([true, false, true]);
  });

  it('are limited in number even if all have the same beginning', () => {
    const seen = new SeenTexts();
    const versions = Array.from({ length: 10 }, (_, i) => Buffer.from(`{"a":"${'x'.repeat(300)}","b":${i}}`));
    for (const version of versions) seen.learn(version);
    expect(versions.filter((version) => seen.find(version, 0)).length).toBe(4);
  });

  it('give the same slices and digests as reading without a memory', async () => {
    const [one, two] = [text('first', 3000), text('second', 700)];
    const body = bodyOf('{"definitions":[', one, ' , ', two, '],"objects":[', one, ']}');
    const limits = { definitions: 10, objects: 10 };
    const bodies = [bodyOf(body), bodyOf(body)];
    const cuts = await Promise.all(bodies.map((each) => splitEnvelope(each, limits)));
    const reported = cuts.map((cut, i) => {
      if (!cut.ok) throw new Error(cut.status.message);
      const { definitions, objects } = cut.value;
      return [...definitions, ...objects].map((slice) => [
        Buffer.from(slice.bytes).toString(),
        placeOf(slice, bodies[i]),
        definitionText({ bytes: Uint8Array.from(slice.bytes), notation: 'json' }, latestServer()).digest ===
          definitionText(slice, latestServer()).digest,
      ]);
    });
    expect(reported[1]).toEqual(reported[0]);
    expect(reported[0]).toEqual([
      [one.toString(), 16, true],
      [two.toString(), 16 + one.length + 3, true],
      [one.toString(), 16 + one.length + 3 + two.length + '],"objects":['.length, true],
    ]);
    const [, again] = cuts;
    const definition = again?.ok ? again.value.definitions[0] : undefined;
    expect(definition && ownsBuffer(definition.bytes)).toBe(true);
  });
});
