import { expect, it, vi } from 'vitest';
import { redisAddressOf } from '#jobs/redis';
import { startedWith, endingReporter, UNREPORTED } from './serve.ts';

it.each([
  ['redis://assay:word@cache.example.com/2', 'redis://cache.example.com:6379/2'],
  ['rediss://:word@[::1]:7000', 'rediss://[::1]:7000/0'],
  ['rediss+sentinel://u:word@a,b:2/main/4', 'rediss+sentinel://a:26379,b:2/main/4'],
  ['redis+cluster://:word@a:1,b', 'redis+cluster://a:1,b:6379'],
])('the message at the start shows the address %s without its password', (url, redis) => {
  expect(startedWith({ redis: redisAddressOf(url) }, {})).toEqual({ redis, traces: 'off' });
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:word@127.0.0.1:4318/v1?key=word' }, 'http://127.0.0.1:4318/v1'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b/traces' }, 'https://b/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'word' }, 'an endpoint that is no URL'],
  [{}, 'off'],
])('the message at the start shows with %j where traces are sent', (variables, traces) => {
  expect(startedWith({ redis: undefined }, variables)).toEqual({ redis: undefined, traces });
});

const logOf = () => ({ info: vi.fn<() => void>(), warn: vi.fn<() => void>(), error: vi.fn<() => void>(), fatal: vi.fn<() => void>() });

/** Returns what a terminal shows while a service with this number of open requests stops. */
async function shownFor(requests: number | undefined): Promise<string> {
  let text = '';
  const log = logOf();
  const ending = endingReporter(log, { isTTY: true, write: (written: string) => (text += written) });
  ending.stops(requests, 10_000);
  await ending.stopped();
  expect(log.info).not.toHaveBeenCalled();
  return text;
}

it('on a terminal, sentences report the end of the service', async () => {
  expect(await shownFor(0)).toBe('\nAssay stops\nAssay has stopped\n');
  expect(await shownFor(1)).toBe('\nAssay stops: 1 open request may still finish within 10 s\nAssay has stopped\n');
  expect(await shownFor(3)).toBe('\nAssay stops: 3 open requests may still finish within 10 s\nAssay has stopped\n');
  expect(await shownFor(undefined)).toBe('\nAssay stops: open requests may still finish within 10 s\nAssay has stopped\n');
});

it('without a terminal, the log reports the end of the service, and one of several processes reports nothing', async () => {
  const log = logOf();
  const write = vi.fn<(text: string) => void>();
  const ending = endingReporter(log, { write });
  ending.stops(2, 500);
  await ending.stopped();
  expect(log.info.mock.calls).toEqual([
    [{ requests: 2, withinMs: 500 }, 'the service stops'],
    [{}, 'the service has stopped'],
  ]);
  UNREPORTED.stops(2, 500);
  await UNREPORTED.stopped();
  expect(write).not.toHaveBeenCalled();
});
