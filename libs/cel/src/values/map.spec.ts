import { expect, it } from 'vitest';
import { LazyMap } from './map.ts';
import { CelError } from './value.ts';
import type { CelValue } from './value.ts';

it('a LazyMap computes each value on first access, and only once', () => {
  let reads = 0;
  const map = new LazyMap(new Map([['n', () => ++reads]]));
  expect([map.size, reads, map.get('n'), map.get('n'), map.get('m'), reads]).toEqual([1, 0, 1, 1, undefined, 1]);
});

it('a LazyMap computes a value only once even if the value is an error', () => {
  let reads = 0;
  const map = new LazyMap(new Map([['n', () => new CelError(`${++reads}`)]]));
  expect([map.get('n'), map.get('n')]).toEqual([new CelError('1'), new CelError('1')]);
});

it('a LazyMap gives an error for a value that depends on itself', () => {
  const map: LazyMap = new LazyMap(new Map<string, () => CelValue>([['n', () => map.get('n')!]]));
  expect(map.get('n')).toEqual(new CelError('n depends on itself'));
});

it('a LazyMap computes a value again if the first computation threw an error', () => {
  let reads = 0;
  const compute = (): CelValue => {
    if (++reads === 1) throw new Error('interrupted');
    return reads;
  };
  const map = new LazyMap(new Map([['n', compute]]));
  expect(() => map.get('n')).toThrow('interrupted');
  expect(map.get('n')).toBe(2);
});

it('a LazyMap finds reserved words by their escaped names', () => {
  expect(new LazyMap(new Map([['namespace', () => 1]])).get('__namespace__')).toBe(1);
});
