import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlacedFindings } from '#benchmark';
import { explainDefinition } from '#crd';
import { checkOptions } from '#documents';
import type { DocumentSlice } from '#documents';
import { latestServer } from '#kube';
import { EngineThreads } from '#runner';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { describeWrites } from './costliest-writes.ts';
import { studyDefinitions } from './study-definitions.ts';
import type { StudyFindings, StudyProgress, StudyRequest } from './study-order.ts';
import { thorough } from '../../../../testing/thorough.ts';

const LIST = { type: 'array', items: { type: 'integer' } };
const rules = (...texts: string[]) => ({ 'x-kubernetes-validations': texts.map((rule) => ({ rule })) });
const PORTS = {
  type: 'object',
  required: ['port', 'host'],
  properties: { port: { type: 'integer' }, host: { type: 'string', maxLength: 63 } },
};
const SQUARE = 'self.a.all(x, self.a.all(y, x <= y + 3))';

const slice = (value: object): DocumentSlice => ({ bytes: Buffer.from(JSON.stringify(value)), notation: 'json' });
const definition = (spec: object): DocumentSlice =>
  slice(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } }));
const read = checkOptions({});
if (!read.ok) throw new Error(read.status.message);
const options = read.value;

describe('the study of definitions', () => {
  const engine = new EngineThreads({ threads: 2 });
  beforeAll(() => engine.start());
  afterAll(() => engine.stop());

  const study = (
    spec: object,
    more: Partial<StudyRequest> = {},
    ports: Parameters<typeof studyDefinitions>[2] = {},
  ): Promise<StudyFindings> =>
    studyDefinitions(
      engine,
      {
        definitions: [{ source: 'crd.yaml#1', slice: definition(spec) }],
        objects: [],
        options,
        budgetMs: 60_000,
        seed: 1,
        isTimed: false,
        base: undefined,
        isWanted: () => true,
        ...more,
      },
      ports,
    );
  const byText = ({ rules: all }: StudyFindings, text: string): PlacedFindings | undefined => all.find(({ rule }) => rule.includes(text));

  it('reports estimate, growth, most expensive write, times and claims of each rule, as plain JSON', async () => {
    const spec = {
      type: 'object',
      properties: { a: { ...LIST, maxItems: 40 }, b: LIST },
      ...rules(SQUARE, 'self.b.all(x, x < 5)'),
    };
    const progress: StudyProgress[] = [];
    const found = await study(spec, { isTimed: true }, { notify: (state) => progress.push(state) });
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
    const square = byText(found, SQUARE);
    expect(square).toMatchObject({
      definition: 'widgets.example.com',
      version: 'v1',
      path: 'properties[spec].x-kubernetes-validations[0]',
      growsWith: [{ field: 'spec.a', unit: 'items', bound: 40, costExponent: 2, near: 'n²' }],
      worst: { end: 'accepted', evaluations: 1, plan: { fields: { 'spec.a': { size: 40 } }, old: 'none' } },
    });
    // A busy machine may have no time left for the interpreter.
    const times = square?.times.map(({ engine: name, what }) => `${name} ${what}`).filter((time) => !time.startsWith('Assay interpreted'));
    expect(times).toEqual(['Assay compiled rule', 'Assay compiled write', 'Assay compiled compile']);
    expect(square?.estimateOverWorst).toBeGreaterThanOrEqual(1);
    expect(square?.claims.map(({ verdict }) => verdict)).toContain('holds');
    const linear = byText(found, 'self.b.all');
    expect(linear?.growsWith).toMatchObject([{ field: 'spec.b', costExponent: 1, near: 'n' }]);
    expect(linear?.budgetEndsAt).toMatchObject({ field: 'spec.b', limit: 'call' });
    expect(new Set(progress.map(({ phase }) => phase))).toEqual(new Set(['costs', 'times']));
  });

  it('studies the rules first that the change affects, and marks the rules that it did not finish before its stop', async () => {
    const field = (i: number): string => `f${i}`;
    const fields = (more: object): object =>
      Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [field(i), { ...LIST, ...rules('self.all(x, x < 5)') }]).concat(Object.entries(more)),
      );
    const before = definition({
      type: 'object',
      properties: fields({ last: LIST, bound: { ...LIST, maxItems: 5, ...rules('self.all(x, x > 1)') } }),
    });
    const after = {
      type: 'object',
      properties: fields({
        last: { ...LIST, ...rules(SQUARE.replaceAll('self.a', 'self')) },
        bound: { ...LIST, maxItems: 9, ...rules('self.all(x, x > 1)') },
      }),
    };
    const order: (string | undefined)[] = [];
    const stop = new AbortController();
    const notify = ({ latest: { change } }: StudyProgress): void => {
      order.push(change);
      if (change === 'none') stop.abort();
    };
    const found = await study(after, { budgetMs: 3000, base: { name: 'main', definitions: [before] } }, { notify, signal: stop.signal });
    expect(order[0]).toBe('new');
    expect(order.indexOf('fields')).toBeGreaterThan(order.lastIndexOf('new'));
    expect(order.indexOf('none')).toBeGreaterThan(order.lastIndexOf('fields'));
    const cutOff = found.rules.filter((rule) => rule.cutOff === 'study');
    expect(new Set(cutOff.map(({ change }) => change))).toEqual(new Set(['none']));
    expect(cutOff.length).toBeGreaterThan(20);
  });

  it('reports why it studies no rule of a definition that a server rejects', async () => {
    const found = await study({ type: 'object', properties: { a: LIST }, ...rules('self.nothing > 1') });
    const refused = expect.stringContaining('undefined field') as string;
    expect(found.definitions).toMatchObject([{ definition: 'widgets.example.com', rules: 1, refused }]);
    expect(found.rules[0]).toMatchObject({ growsWith: [], notStudied: 'a server refuses its definition' });
    expect(found.notStudied).toHaveLength(1);
  });

  it('names a definition without rules, and studies rules above the cost limit, too', async () => {
    const none = await study({ type: 'object', properties: { a: LIST } });
    expect([none.definitions, none.rules]).toEqual([[{ source: 'crd.yaml#1', definition: 'widgets.example.com', rules: 0 }], []]);
    const dear = await study({ type: 'object', properties: { a: LIST, b: LIST }, ...rules('self.a.all(x, self.b.all(y, x != y))') });
    expect(dear.definitions).toMatchObject([{ rules: 1, refused: expect.stringContaining('exceeds budget') as string }]);
    const [rule] = dear.rules;
    expect(rule?.growsTogether).toMatchObject({ fields: [{ field: 'spec.a' }, { field: 'spec.b' }], near: 'n²' });
    expect(rule?.budgetEndsAt).toMatchObject({ limit: 'call' });
    // The cost is reported for the bounds that would bring the estimate under its limit.
    expect(rule?.suggestedBounds.map(({ field }) => field)).toEqual(['spec.a', 'spec.b']);
    expect(rule?.costAtSuggested).toBeGreaterThan(0);
    // The bounds bring the estimate under its limit, and a server accepts the most expensive write at these bounds.
    const bounded = { ...LIST, maxItems: 500 };
    const lists = await study({ type: 'object', properties: { a: LIST, b: bounded }, ...rules('self.a.all(x, self.b.all(y, x != y))') });
    expect(lists.rules[0]?.suggestedBounds).toMatchObject([{ field: 'spec.a', keyword: 'maxItems', before: null }]);
    const { suggestedBounds: [bound] = [], costAtSuggested = 0, budgetEndsAt } = lists.rules[0] ?? {};
    expect(bound?.suggested).toBeLessThan(budgetEndsAt?.size ?? 0);
    expect(costAtSuggested).toBeGreaterThan(500_000);
    expect(costAtSuggested).toBeLessThanOrEqual(1_000_000);
  });

  // The most expensive write of these rules is close to their estimate.
  it.each([
    [
      'pairs of objects',
      { a: { type: 'array', items: PORTS } },
      'self.a.all(x, self.a.exists_one(y, x.port == y.port && x.host == y.host))',
    ],
    ['pairs of texts', { a: { type: 'array', items: { type: 'string', maxLength: 100 } } }, 'self.a.all(x, self.a.all(y, x <= y + x))'],
    ['lengths of texts', { a: { type: 'string' } }, `self.a.matches('${'a?'.repeat(200)}')`],
    [
      'values of a map',
      { a: { type: 'object', additionalProperties: { type: 'integer' } } },
      'self.a.all(x, self.a.all(y, self.a[x] <= self.a[y]))',
    ],
  ])('suggests the same bounds as assay explain for %s', async (_, properties, rule) => {
    const spec = { type: 'object', properties, ...rules(rule) };
    const found = await study(spec);
    const explained = explainDefinition(definition(spec).bytes, latestServer());
    const expected = explained.rules[0]?.suggestions?.[0]?.changes.map(({ bound, value }) => [bound.fields, bound.keyword, Number(value)]);
    expect(expected).not.toHaveLength(0);
    expect(found.rules[0]?.suggestedBounds.map(({ field, keyword, suggested }) => [field, keyword, suggested])).toEqual(expected);
    expect(found.rules[0]?.costAtSuggested).toBeGreaterThan(1000);
  });

  it('suggests no bounds for a rule that compares the keys of a map: the estimate does not count their lengths', async () => {
    const keys = { a: { type: 'object', additionalProperties: { type: 'integer' } } };
    const spec = { type: 'object', properties: keys, ...rules('self.a.all(x, self.a.all(y, x.contains(y)))') };
    const explained = explainDefinition(definition(spec).bytes, latestServer());
    expect(explained.rules[0]?.suggestions?.[0]?.changes).toHaveLength(1);
    expect((await study(spec)).rules[0]?.suggestedBounds).toEqual([]);
  });

  it.skipIf(!thorough)('reports an equal revision as equal, and a more expensive one as more expensive', async () => {
    const spec = (bound: number, rule: string) => ({ type: 'object', properties: { a: { ...LIST, maxItems: bound } }, ...rules(rule) });
    const base = { name: 'HEAD', definitions: [definition(spec(40, SQUARE))] };
    const same = await study({ ...spec(40, SQUARE), description: 'changed' }, { base });
    expect(same.rules[0]?.base).toMatchObject({ kind: 'compared', cost: { ratio: 1, verdict: 'equal' } });
    const wider = await study(spec(60, SQUARE), { base });
    expect(wider.rules[0]?.base).toMatchObject({ kind: 'compared', cost: { verdict: 'dearer' } });
    const dearer = await study(spec(40, `${SQUARE} && self.a.all(x, x < 100)`), { base });
    expect(dearer.rules[0]?.base).toMatchObject({ kind: 'compared', cost: { verdict: 'dearer' } });
    const other = await study({ ...spec(40, SQUARE), properties: { a: { ...LIST, ...rules('self.size() < 5') } } }, { base });
    expect(other.rules.map(({ base: compared }) => compared?.kind)).toEqual(['compared', 'new']);
  });

  it.skipIf(!thorough)('reports how the costs of the old rule and of its replacement grow', async () => {
    const spec = (rule: string) => ({ type: 'object', properties: { a: { ...LIST, maxItems: 40 } }, ...rules(rule) });
    const progress: StudyProgress[] = [];
    const base = { name: 'HEAD', definitions: [definition(spec('self.a.all(x, x < 5)'))] };
    await study(spec(SQUARE), { base }, { notify: (state) => progress.push(state) });
    expect(progress.at(-1)).toMatchObject({
      phase: 'comparison',
      latest: { rule: SQUARE, growsWith: [{ near: 'n²' }], baseGrowth: { growsWith: [{ field: 'spec.a', near: 'n' }] } },
    });
    const alone = await study(spec(SQUARE));
    expect(alone.rules[0]).not.toHaveProperty('baseGrowth');
  });

  it('reports a rule as new if the rule that was at its path moved', async () => {
    const spec = (...texts: string[]) => ({ type: 'object', properties: { a: { ...LIST, maxItems: 40 } }, ...rules(...texts) });
    const base = { name: 'HEAD', definitions: [definition(spec(SQUARE))] };
    const isWanted = ({ path }: { readonly path: string }): boolean => path.endsWith('[0]');
    const found = await study(spec('self.a.all(x, x < 5)', SQUARE), { base, isWanted });
    expect(found.rules).toMatchObject([{ rule: 'self.a.all(x, x < 5)', base: { kind: 'new' } }]);
  });

  it.skipIf(!thorough)('begins its search with the objects of the user', async () => {
    const name = { type: 'string', maxLength: 40 };
    const spec = {
      type: 'object',
      properties: { a: { type: 'array', maxItems: 30, items: name } },
      ...rules("self.a.all(x, x.startsWith('team-'))"),
    };
    const object = slice({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'mine' }, spec: { a: ['team-a', 'team-b'] } });
    const found = await study(spec, { objects: [object] });
    expect(found.rules[0]?.worst).toMatchObject({ end: 'accepted', plan: { fields: { 'spec.a': { size: 30 } } } });
    expect(JSON.stringify(found.rules[0]?.worst?.plan.fields['spec.a[]'])).toContain('team-a');
    // The search also tries other texts, because copies of one user's name make this rule cheap.
    const unique = { ...spec, ...rules('self.a.all(x, self.a.exists_one(y, x == y))') };
    const beside = await study(unique, { objects: [object] });
    const alone = await study(unique);
    expect(beside.rules[0]?.growsWith[0]).toMatchObject({ field: 'spec.a', near: 'n²' });
    expect(beside.rules[0]?.worst?.cost).toBeGreaterThanOrEqual(alone.rules[0]?.worst?.cost ?? Infinity);
    // An object without items contains no texts, so the search chooses them.
    const empty = slice({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'mine' }, spec: { a: [] } });
    const searched = await study(spec, { objects: [empty] });
    expect(searched.rules[0]?.growsWith[0]).toMatchObject({ field: 'spec.a', near: 'n' });
    expect(searched.rules[0]?.worst).toMatchObject({ end: 'accepted', plan: { fields: { 'spec.a': { size: 30 } } } });
  });

  it('returns the most expensive writes as items of an evaluation: creates, updates, and status updates', async () => {
    const spec = {
      type: 'object',
      properties: { a: { ...LIST, maxItems: 20 } },
      ...rules(SQUARE, 'self.a.all(x, x in oldSelf.a) && self.a.size() > 3'),
    };
    const status = { type: 'object', properties: { b: { ...LIST, maxItems: 10 } }, ...rules('self.b.all(x, x < 5)') };
    const schema = { type: 'object', properties: { spec, status } };
    const studied = slice(customDefinition({ kind: 'Widget', schema, subresources: { status: {} } }));
    const definitions = [{ source: 'crd.yaml#1', slice: studied }];
    const { rules: found } = await study({}, { definitions });
    const writes = await describeWrites(engine, { definitions, options }, found, new AbortController().signal);
    const items = new Map(writes.map(({ rule, item }) => [rule.rule, JSON.parse(item) as unknown]));
    expect(items.get(SQUARE)).toEqual({
      operation: 'CREATE',
      object: expect.objectContaining({ kind: 'Widget', spec: { a: expect.any(Array) as unknown } }) as unknown,
    });
    expect(items.get('self.a.all(x, x in oldSelf.a) && self.a.size() > 3')).toMatchObject({
      operation: 'UPDATE',
      oldObject: { kind: 'Widget' },
    });
    expect(items.get('self.b.all(x, x < 5)')).toMatchObject({ operation: 'UPDATE', subresource: 'status', oldObject: { kind: 'Widget' } });
  });

  it.skipIf(!thorough)('ends in time, lists all rules, and can be stopped', async () => {
    const spec = {
      type: 'object',
      properties: { a: LIST },
      ...rules(...Array.from({ length: 400 }, (_, i) => `self.a.all(x, self.a.all(y, x <= y + ${i}))`)),
    };
    const begun = performance.now();
    const all = await study(spec, { budgetMs: 800 });
    // A busy machine may need a while for work outside the measured time.
    expect(performance.now() - begun).toBeLessThan(90_000);
    expect(all.rules).toHaveLength(400);
    expect(all.isPartial).toBe(true);
    expect(all.notStudied[0]?.reason).toBe('the time was over before its turn');
    const stop = new AbortController();
    const stopped = await study(
      spec,
      { budgetMs: 60_000 },
      { signal: stop.signal, notify: ({ latest }) => latest.growsWith.length > 0 && stop.abort() },
    );
    expect(stopped).toMatchObject({ isPartial: true });
    expect(stopped.rules.some(({ growsWith }) => growsWith.length > 0)).toBe(true);
  });
});
