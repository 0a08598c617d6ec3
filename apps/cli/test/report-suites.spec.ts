import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { suiteReport } from '../src/suite/report-suites.ts';
import type { CaseResult } from '../src/suite/suite.ts';

/** Text with characters that each report form must escape. */
const HOSTILE = '<a href="x">&\t\r\n%,: \u0000\u001b\ud800 ]]>';
const results: CaseResult[] = [
  {
    suite: HOSTILE,
    file: 'folder with space/a.yaml',
    line: 5,
    name: `onCreate: ${HOSTILE}`,
    passed: false,
    problem: HOSTILE,
    milliseconds: 3,
  },
  { suite: 'good', file: '/abs/b.yaml', line: 7, name: 'onUpdate: fine', passed: true, milliseconds: 1 },
  { suite: 'good', file: '/abs/b.yaml', name: 'onUpdate: not fine', passed: false, problem: 'because', milliseconds: 1 },
];

/**
 * Returns the elements of an XML document that contains only a declaration, elements, attributes and white space. Throws if the document is
 * not well-formed.
 */
function elements(xml: string): { name: string; attributes: Record<string, string> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const open: string[] = [];
  const token =
    /\s+|<\?xml version="1\.0" encoding="UTF-8"\?>|<\/([a-z]+)>|<([a-z]+)((?: [a-z]+="(?:[^<&"]|&(?:amp|lt|gt|quot|#\d+);)*")*)(\/?)>/y;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (match === null) throw new Error(`not XML: ${xml.slice(at, at + 60)}`);
    const [, closed, name, attributes = '', empty] = match;
    if (closed !== undefined && open.pop() !== closed) throw new Error(`</${closed}> closes nothing`);
    if (name === undefined) continue;
    const pairs = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value] as const);
    if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`an attribute of <${name}> stands twice`);
    found.push({ name, attributes: Object.fromEntries(pairs) });
    if (empty === '') open.push(name);
  }
  if (open.length > 0 || found.length === 0) throw new Error(`open: ${open.join(', ')}`);
  // The pattern is the production Char of XML 1.0.
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml)) throw new Error('characters that XML cannot hold');
  return found;
}

it('assay test writes well-formed JUnit with correct counts', () => {
  const found = elements(suiteReport('junit', results));
  expect(found.map(({ name }) => name)).toEqual([
    'testsuites',
    'testsuite',
    'testcase',
    'failure',
    'testsuite',
    'testcase',
    'testcase',
    'failure',
  ]);
  expect(found[0]?.attributes).toMatchObject({ tests: '3', failures: '2', errors: '0' });
  expect(found[4]?.attributes).toMatchObject({ name: 'good', tests: '2', failures: '1', time: '0.002' });
  expect(found[2]?.attributes).toMatchObject({ file: 'folder with space/a.yaml', line: '5', time: '0.003' });
  expect(found[3]?.attributes['message']).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#9;&#13;&#10;%,: \ufffd\ufffd\ufffd ]]&gt;');
  expect(elements(suiteReport('junit', [])).map(({ name }) => name)).toEqual(['testsuites']);
});

/**
 * JSON schemas for the fields of SARIF 2.1.0 that the reports use. They contain the requirements of the SARIF standard for these fields.
 */
const text = { type: 'object', required: ['text'], properties: { text: { type: 'string' } }, additionalProperties: false };
const region = { type: 'object', properties: { startLine: { type: 'integer', minimum: 1 } }, additionalProperties: false };
const artifactLocation = { type: 'object', required: ['uri'], properties: { uri: { type: 'string', pattern: '^[^\\s<>"{}|\\\\^`]+$' } } };
const physicalLocation = {
  type: 'object',
  required: ['artifactLocation'],
  properties: { artifactLocation, region },
  additionalProperties: false,
};
const SARIF = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool'],
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string' },
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      required: ['id'],
                      properties: { id: { type: 'string' }, shortDescription: text },
                      additionalProperties: false,
                    },
                  },
                },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              properties: {
                ruleId: { type: 'string' },
                level: { enum: ['none', 'note', 'warning', 'error'] },
                message: text,
                locations: { type: 'array', items: { type: 'object', properties: { physicalLocation }, additionalProperties: false } },
              },
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

it('assay test writes SARIF with the members that the schema of SARIF requires', () => {
  const validate = new Ajv().compile(SARIF);
  for (const cases of [results, []]) {
    const report: unknown = JSON.parse(suiteReport('sarif', cases));
    expect([validate(report), validate.errors]).toEqual([true, null]);
  }
  const written = suiteReport('sarif', results);
  expect(written).toContain('"uri": "folder%20with%20space/a.yaml"');
  expect(written).toContain('"uri": "file:///abs/b.yaml"');
  expect(written).toContain('"startLine": 5');
});

it('assay test writes an annotation for GitHub with file and line for each failure', () => {
  expect(suiteReport('github', results).split('\n')).toEqual([
    '::error file=folder with space/a.yaml,line=5,title=onCreate%3A <a href="x">&\t\\u000d%0A%25%2C%3A \\u0000\\u001b\ud800 ]]>::<a href="x">&\t\\u000d%0A%25,: \\u0000\\u001b\ud800 ]]>',
    '::error file=/abs/b.yaml,title=onUpdate%3A not fine::because',
    '',
  ]);
});
