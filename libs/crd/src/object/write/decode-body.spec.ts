import { describe, expect, it } from 'vitest';
import { LATEST_MINOR } from '#kube';
import { decodeBody } from './decode-body.ts';

const MARK = '\ufeff';
const JSON_OBJECT = '{"apiVersion":"e.com/v1","kind":"W","metadata":{"name":"a"}}';
const YAML_OBJECT = 'apiVersion: e.com/v1\nkind: W\nmetadata:\n  name: a\n';
const BEFORE = 'the object provided is unrecognized (must be of type W): ';

/** Returns the error message for a body, or undefined if the body can be decoded. */
function problem(body: string | Uint8Array, contentType: string): string | undefined {
  const reading = decodeBody(body, contentType, { kind: 'W', minor: LATEST_MINOR });
  return reading.ok ? undefined : reading.status.message;
}

/** Tests bodies with a byte order mark against the recorded answers of a kube-apiserver. */
describe('a byte order mark in the body of a write', () => {
  it.each([
    ['YAML', MARK + YAML_OBJECT],
    ['JSON as YAML', MARK + JSON_OBJECT],
    ['a space and JSON as YAML', `${MARK} ${JSON_OBJECT}`],
    ['a separator and YAML', `${MARK}---\n${YAML_OBJECT}`],
  ])('is passed over before %s', (_, body) => {
    expect(problem(body, 'application/yaml')).toBeUndefined();
    expect(problem(Buffer.from(body), 'application/yaml')).toBeUndefined();
  });

  it.each([
    [MARK + JSON_OBJECT, 'application/json', /json parse error: invalid character 'ï' looking for beginning of value \(efbbbf7b22/],
    [JSON_OBJECT + MARK, 'application/json', /json parse error: invalid character 'ï' after top-level value/],
    [`${MARK}${MARK}${YAML_OBJECT}`, 'application/yaml', /Object 'Kind' is missing in '\ufeff\ufeffapiVersion/],
    [` ${MARK}${YAML_OBJECT}`, 'application/yaml', /Object 'Kind' is missing in ' \ufeffapiVersion/],
    [`${YAML_OBJECT}${MARK}`, 'application/yaml', /yaml: line 6: could not find expected ':'/],
    [MARK, 'application/yaml', /Object 'Kind' is missing in '\ufeff' \(efbbbf\)/],
    [MARK, 'application/json', /json parse error: invalid character 'ï' looking for beginning of value \(efbbbf\)/],
  ])('is refused elsewhere: %j as %s', (body, contentType, message) => {
    for (const sent of [body, Buffer.from(body)]) {
      expect(problem(sent, contentType)).toMatch(message);
      expect(problem(sent, contentType)?.startsWith(BEFORE)).toBe(true);
    }
  });
});
