import { describe, expect, it } from 'vitest';
import type { ChunkResult } from './chunk.ts';
import { joinResults, linedResult, linesOf, verdictBytes, withoutSpans } from './lined-result.ts';
import { emptyTally } from '../verdict/tally.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const span = { name: 'object', startMs: 1, endMs: 2, attributes: {}, children: [] };
const partsOf = (items: number) => ({ tally: { ...emptyTally(), items }, celCharge: 2, spans: [span] });
const VERDICTS = ['{"index":0,"name":"ä€😀"}', '{"index":1}', '{}'];
const lined = linedResult([bytes(`${VERDICTS[0]}\n${VERDICTS[1]}\n`), bytes(`${VERDICTS[2]}\n`)], partsOf(3));
const plain: ChunkResult = { verdicts: VERDICTS, ...partsOf(3) };

describe('a result whose verdicts are bytes', () => {
  it('has the verdicts, bytes and size of a result with verdicts as texts', () => {
    expect(lined.verdicts).toEqual(VERDICTS);
    for (const result of [lined, plain]) {
      expect(Buffer.concat(linesOf(result)).toString()).toBe(VERDICTS.map((verdict) => `${verdict}\n`).join(''));
      expect(verdictBytes(result)).toBe(Buffer.byteLength(VERDICTS.join('')));
    }
  });

  it('has no verdicts if it has no bytes', () => {
    const empty = linedResult([bytes('')], partsOf(0));
    expect([empty.verdicts, verdictBytes(empty)]).toEqual([[], 0]);
  });

  it('can be joined and measured without decoding its verdicts', () => {
    const unread = linedResult([bytes('{}\n')], partsOf(1));
    Object.defineProperty(unread, 'verdicts', { get: () => expect.unreachable('the verdicts were decoded') });
    const joined = joinResults([unread, unread]);
    expect([verdictBytes(joined), withoutSpans(unread).lines, linesOf(unread).length]).toEqual([4, unread.lines, 1]);
  });

  it('keeps the order of verdicts when it is joined to other results', () => {
    const joined = joinResults([lined, plain]);
    expect(joined).toMatchObject({ celCharge: 4, tally: { items: 6 }, spans: [span, span] });
    expect(joined.lines).toHaveLength(3);
    expect(joined.verdicts).toEqual([...VERDICTS, ...VERDICTS]);
  });

  it('has all its parts except its spans after withoutSpans()', () => {
    for (const result of [lined, plain]) expect(withoutSpans(result)).toMatchObject({ verdicts: VERDICTS, spans: [], celCharge: 2 });
    expect(withoutSpans(lined).lines).toBe(lined.lines);
  });
});
