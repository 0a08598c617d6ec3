import { describe, expect, it } from 'vitest';
import { RetryAfter } from './refusals.ts';

/** Records `perSecond` refusals in each second from `from` up to but excluding `to`. */
function refuse(wait: RetryAfter, from: number, to: number, perSecond: number): void {
  for (let second = from; second < to; second++) for (let i = 0; i < perSecond; i++) wait.refused(second);
}

describe('the value of Retry-After', () => {
  it('begins with one second', () => expect(new RetryAfter(0).seconds).toBe(1));

  it('doubles up to 32 under steady overload, each time after the stated seconds have passed', () => {
    const wait = new RetryAfter(0);
    const seen: number[] = [];
    for (let second = 0; second < 80; second++) {
      refuse(wait, second, second + 1, 1000);
      if (seen.at(-1) !== wait.seconds) seen.push(wait.seconds);
    }
    expect(seen).toEqual([1, 2, 4, 8, 16, 32]);
    refuse(wait, 80, 200, 1000);
    expect(wait.seconds).toBe(32);
  });

  it('is reduced by one while less than one request per second is refused', () => {
    const wait = new RetryAfter(0);
    refuse(wait, 0, 6, 1000);
    expect(wait.seconds).toBe(4);
    wait.refused(20);
    expect(wait.seconds).toBe(3);
    wait.refused(30);
    wait.refused(40);
    wait.refused(50);
    expect(wait.seconds).toBe(1);
  });

  it('stays the same for two refusals per second', () => {
    const wait = new RetryAfter(0);
    refuse(wait, 0, 20, 2);
    expect(wait.seconds).toBe(1);
  });
});
