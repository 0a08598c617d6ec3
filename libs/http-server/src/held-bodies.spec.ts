import { describe, expect, it } from 'vitest';
import { HeldBodies } from './held-bodies.ts';

describe('the limit on bytes of request bodies in memory', () => {
  it('rejects bytes beyond the share of a flow or of all flows, and accepts those of other flows', () => {
    const held = new HeldBodies({ bodyBytes: 100, flowBodyBytes: 60 });
    expect(held.open('a').hold(40)).toBeUndefined();
    expect(held.open('a').hold(20)).toBeUndefined();
    expect(held.open('a').hold(1)).toContain('of this client');
    expect(held.open('b').hold(40)).toBeUndefined();
    expect(held.open('c').hold(1)).toBe('too many bytes of bodies are being read, please try again later');
  });

  it('counts the bytes of a request until its end, even if its end is reported twice', () => {
    const held = new HeldBodies({ bodyBytes: 100, flowBodyBytes: 60 });
    const first = held.open('a');
    first.hold(30);
    first.hold(30);
    const second = held.open('a');
    expect(second.hold(1)).toBeDefined();
    first.release();
    first.release();
    expect(second.hold(60)).toBeUndefined();
    // Only the bytes of the second request are counted now: the share of its flow is full, and 40 bytes are left for other flows.
    expect(held.open('a').hold(1)).toContain('of this client');
    expect(held.open('b').hold(40)).toBeUndefined();
    expect(held.open('c').hold(1)).toBeDefined();
  });

  it('accepts a body beyond the limits if no other body is in memory', () => {
    expect(new HeldBodies({ bodyBytes: 10, flowBodyBytes: 5 }).open('a').hold(1000)).toBeUndefined();
  });
});
