import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { limitHeapGrowth } from './heap-growth.ts';

it('the growth of the heap is limited from the beginning of the first stream to the end of the last one', () => {
  const setFlag = vi.fn();
  const [first, second] = [new EventEmitter(), new EventEmitter()];
  limitHeapGrowth(50, first, setFlag);
  limitHeapGrowth(50, second, setFlag);
  expect(setFlag.mock.calls).toEqual([['--heap-growing-percent=50']]);
  first.emit('close');
  expect(setFlag).toHaveBeenCalledTimes(1);
  second.emit('close');
  expect(setFlag).toHaveBeenLastCalledWith('--heap-growing-percent=0');
  limitHeapGrowth(0, new EventEmitter(), setFlag);
  expect(setFlag).toHaveBeenCalledTimes(2);
});
