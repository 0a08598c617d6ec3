import { describe, expect, it } from 'vitest';
import { readJson, writeJson } from '#go';
import type { JsonValue } from '#go';
import { applyJsonPatch } from './apply-json-patch.ts';
import type { PatchOperation, PatchRules } from './apply-json-patch.ts';

const NEWEST: PatchRules = { copyLimit: 0, release: '4.13' };
const NIL = { panicked: 'runtime error: invalid memory address or nil pointer dereference' };

const json = (text: string): JsonValue => {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
};

/** Parses the short form of an operation: its name, its path, and a JSON value or `from=` with a JSON pointer. */
function operation(words: string): PatchOperation {
  const [op = '', path = '', rest] = words.split(' ');
  const base = { op, path: path === "''" ? '' : path, from: '' };
  if (rest === undefined) return base;
  return rest.startsWith('from=') ? { ...base, from: rest.slice(5) } : { ...base, value: json(rest) };
}

function outcome(document: string, patch: readonly string[], rules = NEWEST): unknown {
  const result = applyJsonPatch(json(document), patch.map(operation), rules);
  if (result.kind === 'patched') return writeJson(result.document);
  return result.kind === 'test-failed' ? result.kind : { [result.kind]: result.error };
}

describe('applyJsonPatch', () => {
  it.each<[document: string, patch: string[], outcome: unknown]>([
    ['{"a":1}', ['add /b 2'], '{"a":1,"b":2}'],
    ['{"a":1}', ['add /b'], '{"a":1,"b":null}'],
    ['{"a":1}', ['replace /b 2'], '{"a":1,"b":2}'],
    ['{"a":[1,2]}', ['add /a/- 3', 'add /a/0 0'], '{"a":[0,1,2,3]}'],
    ['{"a":[1,2]}', ['add /a/-1 3'], '{"a":[1,2,3]}'],
    ['{"a":[1,2]}', ['replace /a/-1 3', 'replace /a/+0 0'], '{"a":[0,3]}'],
    ['{"a":[1,2]}', ['remove /a/0'], '{"a":[2]}'],
    ['{"a":{"b":1}}', ['copy /c from=/a', 'add /c/b 2'], '{"a":{"b":1},"c":{"b":2}}'],
    ['{"a":{"b":1}}', ['move /c from=/a/b'], '{"a":{},"c":1}'],
    ['{"a":{}}', ['add /a/x~1y~0z~01 1'], '{"a":{"x/y~z~1":1}}'],
    ['{"a":{}}', ['add /__proto__ {}', 'add /__proto__/x 1'], '{"__proto__":{"x":1},"a":{}}'],
    ['{"a":{}}', ['add b/a/c 1'], '{"a":{"c":1}}'],
    ['{"a":2.0}', [], '{"a":2}'],
    ['{"a":1}', ['replace \'\' {"b":1}', 'add /c 1'], '{"b":1,"c":1}'],
  ])('%s with %j', (document, patch, expected) => {
    expect(outcome(document, patch)).toBe(expected);
  });

  it.each<[document: string, operation: string, error: string]>([
    ['{}', 'add /a/b 1', 'add operation does not apply: doc is missing path: "/a/b": missing value'],
    ['{}', "add '' 1", 'add operation does not apply: doc is missing path: "": missing value'],
    ['{"a":null}', 'add /a/b 1', 'add operation does not apply: doc is missing path: "/a/b": missing value'],
    ['{"a":[]}', 'add /a/1 1', "error in add for path: '/a/1': Unable to access invalid index: 1: invalid index referenced"],
    [
      '{"a":[]}',
      'add /a/x 1',
      `error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    ],
    ['{}', 'remove /a', "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value"],
    ['{}', 'remove /a/b', 'remove operation does not apply: doc is missing path: "/a/b": missing value'],
    ['{}', 'replace /a/b 1', 'replace operation does not apply: doc is missing path: /a/b: missing value'],
    ['{"a":[]}', 'replace /a/0 1', 'replace operation does not apply: doc is missing key: /a/0: missing value'],
    ['{}', "replace '' 1", 'replace operation value must be object or array: %!w(<nil>)'],
    ['{}', 'move /b', 'move operation failed to decode from: operation, missing from field: missing value'],
    ['{}', 'move /b from=/a', "error in move for path: 'a': Unable to remove nonexistent key: a: missing value"],
    ['{"a":1}', 'copy /b/c from=/a', 'copy operation does not apply: doc is missing destination path: /b/c: missing value'],
    ['{}', 'test /a/b 1', 'test operation does not apply: is missing path: /a/b: missing value'],
    ['{}', 'merge /a 1', 'Unexpected kind: merge'],
    ['{}', 'add /\u0007 1', 'add operation failed to decode path: missing value'],
    ['{}', 'replace /\u000b 1', "replace operation failed to decode path: invalid character 'v' in string escape code"],
  ])('%s rejects %j', (document, words, error) => {
    expect(outcome(document, [words])).toEqual({ failed: error });
  });

  it.each<[document: string, operation: string, holds: boolean]>([
    ['{"a":1}', 'test /a 1', true],
    ['{"a":1}', 'test /a 1.5', false],
    ['{"a":9007199254740993}', 'test /a 9007199254740992', false],
    ['{"a":{"b":[1],"c":"x"}}', 'test /a {"c":"x","b":[1]}', true],
    ['{"a":{"b":[1]}}', 'test /a {"b":[1,2]}', false],
    ['{"a":null}', 'test /a', true],
    ['{"a":null}', 'test /a null', false],
    ['{"a":{}}', 'test /a null', true],
    ['{"a":[]}', 'test /a {}', false],
    ['{"a":1}', 'test \'\' {"a":1}', true],
  ])('decides for %s whether "%s" holds: %s', (document, words, holds) => {
    expect(outcome(document, [words])).toBe(holds ? document : 'test-failed');
  });

  it.each<[document: string, patch: string[], outcome: unknown]>([
    ['{"a":[null]}', ['test /a [null]'], NIL],
    ['{}', ["replace ''"], NIL],
    ['{}', ['add /a null', 'add /a/b 1'], { panicked: 'assignment to entry in nil map' }],
  ])('%s with %j panics in Go', (document, patch, expected) => {
    expect(outcome(document, patch)).toEqual(expected);
  });

  it('follows the older release of the Go library in older Kubernetes versions', () => {
    const older: PatchRules = { copyLimit: 0, release: '4.12' };
    expect(outcome('{"a":1}', ["replace '' 1"], older)).toBe('{"a":1}');
    expect(outcome('{}', ['test /a'], older)).toEqual(NIL);
  });

  it('limits the bytes that copy operations add', () => {
    const limited: PatchRules = { copyLimit: 5, release: '4.13' };
    expect(outcome('{"a":"x"}', ['copy /b from=/a'], limited)).toBe('{"a":"x","b":"x"}');
    const error = 'Unable to complete the copy, the accumulated size increase of copy is 6, exceeding the limit 5';
    expect(outcome('{"a":"x"}', ['copy /b from=/a', 'copy /c from=/a'], limited)).toEqual({ failed: error });
  });

  it('does not change the original document', () => {
    const document = json('{"a":{"b":[1]}}');
    applyJsonPatch(document, [operation('add /a/b/- 2'), operation('remove /a')], NEWEST);
    expect(writeJson(document)).toBe('{"a":{"b":[1]}}');
  });
});
