import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { compositeDefinition, pool } from '../../../testing/composite-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../testing/deep-equality.ts';
import { exportsOf, FUNCTIONS } from '../../../docs/generate/library-page.ts';
import type { StudyReport } from '#benchmark';
import { LATEST_MINOR, MINORS, previewsAmong } from '#kube';
import * as library from '../src/index.ts';
import { fixture, matchers } from '../src/testing.ts';
import '../src/vitest.ts';

const { benchmark, compileDefinition, explain, judgeDefinition, validateObject, versionMatrix, whatIf } = library;

const sized = (size: object, rules: readonly object[] = []) =>
  customDefinition({
    kind: 'Widget',
    schema: {
      type: 'object',
      properties: { size: { type: 'integer', ...size } },
      ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
    },
  });
const crd = sized({ minimum: 0, default: 3 }, [{ rule: '!has(oldSelf.size) || self.size <= oldSelf.size', message: 'must not grow' }]);
const widget = fixture({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, size: 1 });

function compiled(definition: library.Document, options?: library.ServerOptions): library.CompiledDefinition {
  const outcome = compileDefinition(definition, options);
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

/** Texts in which sigs.k8s.io/yaml reads the first document only. */
const followed = (text: string): readonly (readonly [text: string | Uint8Array, line: number])[] => [
  [`${text}---\na: 1\n`, text.split('\n').length],
  [`${text}...\na: 1\n`, text.split('\n').length + 1],
  [`${text}...\n]]\n`, text.split('\n').length + 1],
  [`${text}---\na: 1\n`.replaceAll('\n', '\r'), text.split('\n').length],
  [`${text}---\na: 1\n`.replaceAll('\n', '\u0085'), text.split('\n').length],
  [Buffer.from(`\ufeff${text}---\na: 1\n`, 'utf16le'), text.split('\n').length],
];

describe('a CompositeResourceDefinition of Crossplane', () => {
  it('is replaced by the definition of its composite resource if the function takes one definition', () => {
    const composite = compositeDefinition();
    expect(judgeDefinition(composite)).toMatchObject({ accepted: true, name: 'xpools.example.org', composite: 'xpools.example.org' });
    expect(validateObject(compiled(composite), pool('XPool', 11)).status?.message).toContain('too large');
    expect(judgeDefinition(compositeDefinition({ versions: 3 })).status?.message).toContain('spec.versions: Invalid value: must be a list');
  });

  it('is replaced by two definitions in a list of definitions', async () => {
    const composite = JSON.stringify(compositeDefinition());
    const { definitions, objects } = await explain([composite], [pool('Pool', 3)]);
    expect(definitions.map(({ report }) => report.name)).toEqual(['xpools.example.org', 'pools.example.org']);
    expect(objects[0]?.outcome).toBe('accepted');
    expect((await versionMatrix([composite])).definitions).toHaveLength(2);
  });
});

describe('a text with several documents', () => {
  const object = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nsize: 1\n';
  const definition = `${JSON.stringify(crd).replace('{"apiVersion"', '# a definition\n{"apiVersion"')}\n`;

  it.each(followed(object))('is not an object: %j', (text, line) => {
    const message = `yaml: line ${line}: a second document begins here, and only the first one would be read`;
    expect(validateObject(compiled(crd), text)).toMatchObject({ outcome: 'rejected', status: { message } });
    expect(() => validateObject(compiled(crd), widget(), { oldObject: text })).toThrow('oldObject cannot be read');
  });

  it.each(followed(definition))('is not a definition: %j', (text, line) => {
    const message = `yaml: line ${line}: a second document begins here, and only the first one would be read`;
    expect(judgeDefinition(text)).toMatchObject({ accepted: false, status: { message } });
    expect(compileDefinition(text)).toMatchObject({ ok: false, status: { message } });
  });
});

describe('validateObject', () => {
  it.each([
    ['plain values', crd, widget()],
    ['JSON text', JSON.stringify(crd), JSON.stringify(widget())],
    ['bytes', Buffer.from(JSON.stringify(crd)), new TextEncoder().encode(JSON.stringify(widget()))],
    ['YAML text', JSON.stringify(crd), 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nsize: 1\n'],
  ])('accepts %s', (_, definition, object) => {
    const verdict = validateObject(compiled(definition), object);
    expect(verdict).toMatchObject({ outcome: 'accepted', name: 'w', definition: 'widgets.example.com', object: { size: 1 } });
  });

  it('returns the stored object, and does not change its argument', () => {
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, unknown: 1 };
    const verdict = validateObject(compiled(crd), object);
    expect(verdict.object).toMatchObject({ size: 3 });
    expect(verdict.object).not.toHaveProperty('unknown');
    expect(verdict.warnings).toEqual(['unknown field "unknown"']);
    expect(object).toEqual({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, unknown: 1 });
  });

  it('returns the messages of a server', () => {
    expect(validateObject(compiled(crd), widget({ size: -1 }))).toMatchObject({
      outcome: 'rejected',
      status: {
        code: 422,
        message: 'Widget.example.com "w" is invalid: size: Invalid value: -1: size in body should be greater than or equal to 0',
        details: { causes: [{ field: 'size', reason: 'FieldValueInvalid' }] },
      },
    });
  });

  it('validates updates against the stored object, in any notation', () => {
    const definition = compiled(crd);
    const grown = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nsize: 2\n';
    expect(validateObject(definition, grown, { oldObject: widget() }).status?.message).toContain('must not grow');
    expect(validateObject(definition, widget(), { oldObject: grown }).outcome).toBe('accepted');
  });

  it('rejects unknown fields on request', () => {
    const { outcome, status } = validateObject(compiled(crd), widget({ unknown: 1 }), { fieldValidation: 'Strict' });
    expect([outcome, status?.message]).toEqual([
      'rejected',
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "unknown"',
    ]);
  });

  it('validates as each Kubernetes version does, and marks previews', async () => {
    for (const kubernetesVersion of MINORS) expect(judgeDefinition(crd, { kubernetesVersion }).accepted).toBe(true);
    const { minors, previews } = await versionMatrix([crd], [widget()]);
    expect([minors, previews]).toEqual([MINORS, previewsAmong(MINORS)]);
    expect(previews).not.toHaveProperty([LATEST_MINOR]);
  });

  it('explains why versions differ, and gives bounds with which all of them accept a definition', async () => {
    const waits = (more: object) =>
      customDefinition({
        kind: 'Widget',
        schema: {
          type: 'object',
          properties: {
            waits: {
              type: 'array',
              maxItems: 10,
              items: { type: 'string', ...more, 'x-kubernetes-validations': [{ rule: "matches(self, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')" }] },
            },
          },
        },
      });
    const minors = ['1.36', '1.37'] as const;
    const [row] = (await versionMatrix([waits({})], [], { minors })).definitions;
    expect(row?.causes).toMatchObject([{ from: '1.36', to: '1.37', about: 'verdict', causes: [{ name: 'globalMatchesTraverses' }] }]);
    const bounds = row?.additions !== undefined && 'bounds' in row.additions ? row.additions.bounds : [];
    expect(bounds).toMatchObject([{ version: 'v1', path: 'waits[*]', keyword: 'maxLength', before: null }]);
    const [bounded] = (await versionMatrix([waits({ maxLength: bounds[0]?.suggested })], [], { minors })).definitions;
    expect(bounded?.accepted).toEqual({ '1.36': true, '1.37': true });
  });

  it('throws for invalid arguments, but returns an outcome for invalid text and for an object of another kind', () => {
    expect(() => validateObject(compiled(crd), undefined as unknown as object)).toThrow('a document must be text, bytes or a plain object');
    expect(() => compileDefinition(crd, { kubernetesVersion: '1.2' as '1.30' })).toThrow('options.kubernetesVersion');
    expect(validateObject(compiled(crd), 'a: [').outcome).toBe('rejected');
    expect(validateObject(compiled(crd), { ...widget(), kind: 'Other' }).outcome).toBe('notEvaluated');
  });
});

describe('a call of the library is stopped', () => {
  const endless = customDefinition({
    kind: 'Widget',
    schema: { type: 'object', properties: { lists: LISTS }, 'x-kubernetes-validations': [{ rule: DEEP_EQUALITY }] },
  });
  const dear = { ...widget(), lists: equalLists(500) };
  const costLimits = { perCall: 'unlimited', perObject: 'unlimited' } as const;

  it('by a timeout in the middle of a rule', () => {
    expect(() => validateObject(compiled(endless), dear, { costLimits, timeoutMs: 200 })).toThrow(
      expect.objectContaining({ name: 'TimeoutError' }) as Error,
    );
  });

  it('by a signal, before the work and between objects', async () => {
    const reason = new Error('enough');
    expect(() => judgeDefinition(crd, { signal: AbortSignal.abort(reason) })).toThrow('enough');
    const stop = new AbortController();
    const running = versionMatrix(
      [crd],
      Array.from({ length: 1000 }, (_, i) => widget({ metadata: { name: `w${i}` } })),
      {
        signal: stop.signal,
      },
    );
    setTimeout(() => stop.abort(reason), 5);
    await expect(running).rejects.toBe(reason);
  });
});

describe('the library, for definitions,', () => {
  it('validates creates and updates', () => {
    expect(judgeDefinition(crd)).toMatchObject({ accepted: true, rules: [{ usesOldSelf: true }] });
    const refused = compileDefinition(sized({ type: 'number of things' }));
    expect(refused).toMatchObject({ ok: false, status: { code: 422 } });
    const moved = { ...crd, spec: { ...(crd as { spec: object }).spec, group: 'elsewhere.com' } };
    expect(judgeDefinition(moved, { stored: crd }).status?.message).toContain('field is immutable');
  });

  it('explains the cost of rules, as estimated and as measured', async () => {
    const { definitions, objects } = await explain([sized({}, [{ rule: 'self.size < 10' }])], [widget()]);
    expect(definitions[0]?.rules[0]).toMatchObject({ rule: 'self.size < 10', factor: expect.any(Number), measured: { evaluations: 1 } });
    expect(objects).toMatchObject([{ index: 0, name: 'w', outcome: 'accepted' }]);
  });

  it('compares Kubernetes versions', async () => {
    const matrix = await versionMatrix([sized({}, [{ rule: "!isIP('x')" }])], [], { minors: ['1.30', '1.31'] });
    expect(matrix.previews).toBeUndefined();
    expect(matrix.definitions[0]?.accepted).toEqual({ '1.30': false, '1.31': true });
  });

  it('reports the effect of a change on stored objects', async () => {
    const objects = [widget(), widget({ size: 5 }), { ...widget(), kind: 'Other' }];
    const { definition, effects } = await whatIf(crd, sized({ minimum: 2, default: 3 }), objects);
    expect(definition.accepted).toBe(true);
    expect(effects).toMatchObject({ savedByRatcheting: 1, unaffected: 1, notJudged: 1 });
  });
});

describe('matchers', () => {
  it('pass if the verdict is as expected', () => {
    expect(crd).toAccept(widget());
    expect(compiled(crd)).toAccept(widget());
    expect(JSON.stringify(crd)).toReject(widget({ size: -1 }), 'should be greater than or equal to 0');
    expect(crd).toReject(widget({ size: 2 }), /grow/, { oldObject: widget() });
    expect(crd).not.toAccept(widget({ size: -1 }));
    expect(crd).not.toReject(widget({ size: -1 }), 'something else');
  });

  it("show the server's message if the verdict differs", () => {
    expect(() => expect(crd).toAccept(widget({ size: -1 }))).toThrow(/accept the object: .*greater than or equal to 0/);
    expect(() => expect(crd).toReject(widget())).toThrow('and it accepts it');
    expect(() => expect(crd).toReject(widget({ size: -1 }), 'other words')).toThrow(/with other words: .*greater than/);
    expect(matchers.toAccept(sized({ type: 'x' }), widget()).message()).toContain('the server refuses the definition');
  });

  it('come with fixtures, which merge changes into copies of an object', () => {
    const base = fixture({ a: { b: 1, c: [1] }, d: 1 });
    expect(base({ a: { b: 2 }, d: null })).toEqual({ a: { b: 2, c: [1] } });
    expect(base()).toEqual({ a: { b: 1, c: [1] }, d: 1 });
  });
});

describe('the function benchmark', () => {
  const listed = (bound: number) =>
    customDefinition({
      kind: 'Widget',
      schema: {
        type: 'object',
        properties: { a: { type: 'array', maxItems: bound, items: { type: 'integer' } } },
        'x-kubernetes-validations': [{ rule: 'self.a.all(x, x < 5)' }],
      },
    });

  it('studies rules, and compares them with an older revision', async () => {
    const study: StudyReportWithoutMachine = await benchmark([listed(50)], { base: [listed(20)], budgetMs: 30_000, isTimed: false });
    expect(study.definitions).toEqual([{ source: 'definitions[0]', definition: 'widgets.example.com', rules: 1 }]);
    expect(study.rules).toMatchObject([
      {
        definition: 'widgets.example.com',
        growsWith: [{ field: 'a', costExponent: 1, bound: 50 }],
        worst: { end: 'accepted', plan: { fields: { a: { size: 50 } } } },
        base: { kind: 'compared', cost: { verdict: 'dearer' } },
      },
    ]);
  });
});

/** Type of a study report without the facts about the machine. A test checks that the types of the library agree with this type. */
type StudyReportWithoutMachine = Omit<StudyReport, 'node' | 'cpu'>;

describe('the examples on the manual page of the library', () => {
  const examples = FUNCTIONS.flatMap(exportsOf).flatMap(({ name, example }) => (example === undefined ? [] : [[name, example] as const]));

  it('exist for each function', () => {
    expect(examples.map(([name]) => name)).toEqual([
      'compileDefinition',
      'judgeDefinition',
      'validateObject',
      'explain',
      'benchmark',
      'versionMatrix',
      'whatIf',
    ]);
  });

  it.each(examples)('run, and print no undefined value: %s', async (name, example) => {
    const printed: unknown[][] = [];
    const outcome = compileDefinition(crd);
    const given: Record<string, unknown> = {
      ...library,
      crd,
      changedCrd: sized({ minimum: 1, default: 3 }),
      object: widget(),
      objects: [widget()],
      console: { log: (...values: unknown[]) => printed.push(values) },
      ...(!example.includes('const compiled') && { compiled: outcome }),
    };
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the examples of the docstrings are text
    const run = new Function(...Object.keys(given), `return (async () => { ${example} })();`) as (...values: unknown[]) => Promise<void>;
    await run(...Object.values(given));
    expect(printed.flat()).not.toContain(undefined);
    expect(name).not.toBe('');
  });
});
