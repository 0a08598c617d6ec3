import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { redisInstalled, startRedis } from '../../test/private-redis.ts';
import { packArguments } from './redis-store.ts';

const ECHO = `
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. (type(value) == 'number' and string.format('%.17g', value) or tostring(value)) end
  local fields = {}
  for name, of in pairs(value) do fields[#fields + 1] = tostring(name) .. '=' .. show(of) end
  table.sort(fields)
  return '{' .. table.concat(fields, ',') .. '}'
end
return show(cmsgpack.unpack(ARGV[1]))`;

describe.skipIf(!redisInstalled)('packed arguments', () => {
  it.each([
    ['texts', 'übung', 'string übung'],
    [
      'numbers as they are',
      { whole: 1_760_000_000_000, part: 0.1, below: -5 },
      '{below=number -5,part=number 0.10000000000000001,whole=number 1760000000000}',
    ],
    ['lists and truth', [true, false, 'x'], '{1=boolean true,2=boolean false,3=string x}'],
    ['nothing, where a field is undefined', { there: 1, missing: undefined }, '{there=number 1}'],
    ['empty maps, lists and texts', { map: {}, list: [], text: '' }, '{list={},map={},text=string }'],
  ])('transport %s', async (_, value, shown) => {
    const server = await startRedis();
    const redis = new Redis(server.url);
    expect(await redis.eval(ECHO, 0, packArguments(value))).toBe(shown);
    redis.disconnect();
    server.stop();
  });

  it('transport bytes of any value and number', async () => {
    const server = await startRedis();
    const redis = new Redis(server.url);
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7919) % 256));
    expect(
      bytes.equals((await redis.callBuffer('EVAL', 'return cmsgpack.unpack(ARGV[1]).body', '0', packArguments({ body: bytes }))) as Buffer),
    ).toBe(true);
    redis.disconnect();
    server.stop();
  });
});
