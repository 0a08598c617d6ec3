import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Expirations } from './expirations.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('each item expires after the given time, unless its end was reported before', () => {
  const late: string[] = [];
  const expirations = new Expirations(100);
  const begin = (name: string): (() => void) => expirations.begin(() => late.push(name));
  begin('a');
  vi.advanceTimersByTime(40);
  const ended = begin('b');
  begin('c');
  ended();
  vi.advanceTimersByTime(59);
  expect(late).toEqual([]);
  vi.advanceTimersByTime(2);
  expect(late).toEqual(['a']);
  vi.advanceTimersByTime(40);
  expect(late).toEqual(['a', 'c']);
});

it('an item that begins after a pause expires, too', () => {
  const late: string[] = [];
  const expirations = new Expirations(100);
  expirations.begin(() => late.push('a'))();
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(0);
  expirations.begin(() => late.push('b'));
  vi.advanceTimersByTime(101);
  expect(late).toEqual(['b']);
});
