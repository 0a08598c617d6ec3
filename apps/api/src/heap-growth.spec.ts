import { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { expect, it, vi } from 'vitest';
import { limitHeapGrowth } from './heap-growth.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));

it('limits the growth of the heap from the first stream on until the last one is over', () => {
  const [first, second] = [new EventEmitter(), new EventEmitter()];
  limitHeapGrowth(50, first);
  limitHeapGrowth(50, second);
  expect(vi.mocked(setFlagsFromString).mock.calls).toEqual([['--heap-growing-percent=50']]);
  first.emit('close');
  expect(setFlagsFromString).toHaveBeenCalledTimes(1);
  second.emit('close');
  expect(setFlagsFromString).toHaveBeenLastCalledWith('--heap-growing-percent=0');
  limitHeapGrowth(0, new EventEmitter());
  expect(setFlagsFromString).toHaveBeenCalledTimes(2);
});
