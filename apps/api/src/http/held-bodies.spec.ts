import { describe, expect, it } from 'vitest';
import { HeldBodies } from './held-bodies.ts';

const flow = (name: string) => ({ level: 'normal', name }) as const;

describe('bytes of bodies that are held', () => {
  it('are refused beyond the share of a flow, and of all; others are served', () => {
    const held = new HeldBodies({ bodyBytes: 100, flowBodyBytes: 60 });
    expect(held.open(flow('a')).hold(40)).toBeUndefined();
    expect(held.open(flow('a')).hold(20)).toBeUndefined();
    expect(held.open(flow('a')).hold(1)).toMatchObject({
      status: { code: 429, message: expect.stringContaining('of this client') as string },
    });
    expect(held.open(flow('b')).hold(40)).toBeUndefined();
    expect(held.open(flow('c')).hold(1)).toMatchObject({ status: { code: 429, details: { retryAfterSeconds: 1 } } });
  });

  it('are free again when their request is over, however often that is told', () => {
    const held = new HeldBodies({ bodyBytes: 100, flowBodyBytes: 60 });
    const first = held.open(flow('a'));
    first.hold(30);
    first.hold(30);
    const second = held.open(flow('a'));
    expect(second.hold(1)).toBeDefined();
    first.release();
    first.release();
    expect(second.hold(60)).toBeUndefined();
  });

  it('are no reason against a body that is alone', () => {
    expect(new HeldBodies({ bodyBytes: 10, flowBodyBytes: 5 }).open(flow('a')).hold(1000)).toBeUndefined();
  });
});
