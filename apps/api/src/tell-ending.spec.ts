import { expect, it, vi } from 'vitest';
import { tellEnding, UNTOLD } from './tell-ending.ts';

const logOf = () => ({ info: vi.fn<() => void>(), warn: vi.fn<() => void>(), error: vi.fn<() => void>(), fatal: vi.fn<() => void>() });

/** Returns what a terminal shows while a service with this number of open requests stops. */
async function shownFor(requests: number | undefined): Promise<string> {
  let text = '';
  const log = logOf();
  const ending = tellEnding(log, { isTTY: true, write: (written: string) => (text += written) });
  ending.stops(requests, 10_000);
  await ending.stopped();
  expect(log.info).not.toHaveBeenCalled();
  return text;
}

it('a terminal shows sentences', async () => {
  expect(await shownFor(0)).toBe('\nAssay stops\nAssay has stopped\n');
  expect(await shownFor(1)).toBe('\nAssay stops: 1 open request may still finish within 10 s\nAssay has stopped\n');
  expect(await shownFor(3)).toBe('\nAssay stops: 3 open requests may still finish within 10 s\nAssay has stopped\n');
  expect(await shownFor(undefined)).toBe('\nAssay stops: open requests may still finish within 10 s\nAssay has stopped\n');
});

it('without a terminal, the log has lines, and one of several processes writes nothing', async () => {
  const log = logOf();
  const write = vi.fn<(text: string) => void>();
  const ending = tellEnding(log, { write });
  ending.stops(2, 500);
  await ending.stopped();
  expect(log.info.mock.calls).toEqual([
    [{ requests: 2, withinMs: 500 }, 'the service stops'],
    [{}, 'the service has stopped'],
  ]);
  UNTOLD.stops(2, 500);
  await UNTOLD.stopped();
  expect(write).not.toHaveBeenCalled();
});
