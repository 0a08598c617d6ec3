import { describe, expect, it } from 'vitest';
import { HeldBodies } from './held-bodies.ts';

describe('bytes of bodies that are held', () => {
  it('are refused beyond the share of a flow, and of all; others are served', () => {
    const held = new HeldBodies({ bodyBytes: 100, flowBodyBytes: 60 });
    expect(held.open('a').hold(40)).toBeUndefined();
    expect(held.open('a').hold(20)).toBeUndefined();
    expect(held.open('a').hold(1)).toContain('of this client');
    expect(held.open('b').hold(40)).toBeUndefined();
    expect(held.open('c').hold(1)).toBe('too many bytes of bodies are being read, please try again later');
  });

  it('are free again when their request is over, however often that is told', () => {
    const held = new HeldBodies({ bodyBytes: 100, flowBodyBytes: 60 });
    const first = held.open('a');
    first.hold(30);
    first.hold(30);
    const second = held.open('a');
    expect(second.hold(1)).toBeDefined();
    first.release();
    first.release();
    expect(second.hold(60)).toBeUndefined();
  });

  it('are no reason against a body that is alone', () => {
    expect(new HeldBodies({ bodyBytes: 10, flowBodyBytes: 5 }).open('a').hold(1000)).toBeUndefined();
  });
});
