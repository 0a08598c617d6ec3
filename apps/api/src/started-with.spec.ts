import { expect, it } from 'vitest';
import { redisAddressOf } from '#jobs/redis';
import { startedWith } from './started-with.ts';

it.each([
  ['redis://assay:word@cache.example.com/2', 'redis://cache.example.com:6379/2'],
  ['rediss://:word@[::1]:7000', 'rediss://[::1]:7000/0'],
  ['rediss+sentinel://u:word@a,b:2/main/4', 'rediss+sentinel://a:26379,b:2/main/4'],
  ['redis+cluster://:word@a:1,b', 'redis+cluster://a:1,b:6379'],
])('shows the address %s without its password', (url, redis) => {
  expect(startedWith({ redis: redisAddressOf(url) }, {})).toEqual({ redis, traces: 'off' });
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:word@127.0.0.1:4318/v1?key=word' }, 'http://127.0.0.1:4318/v1'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b/traces' }, 'https://b/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'word' }, 'an endpoint that is no URL'],
  [{}, 'off'],
])('shows with %j where traces are sent', (variables, traces) => {
  expect(startedWith({ redis: undefined }, variables)).toEqual({ redis: undefined, traces });
});
