import { NodeSDK } from '@opentelemetry/sdk-node';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi } from './start-api.ts';
import { customDefinition } from '../../../testing/custom-definition.ts';

type Exporter = NonNullable<NonNullable<ConstructorParameters<typeof NodeSDK>[0]>['traceExporter']>;
type ReadSpan = Parameters<Exporter['export']>[0][number];
let finished: ReadSpan[] = [];
const traceExporter: Exporter = {
  export(spans, done) {
    finished.push(...spans);
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};
let sdk: NodeSDK;
let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '50';
  sdk = new NodeSDK({ serviceName: 'assay-api', traceExporter, metricReaders: [], logRecordProcessors: [] });
  sdk.start();
  ({ app, url } = await startApi({ ASSAY_THREADS: '1' }));
});
afterAll(async () => {
  await app.close();
  await sdk.shutdown();
});

const DEFINITION = customDefinition({
  group: 'example.com',
  kind: 'Widget',
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { size: { type: 'integer' }, names: { type: 'array', maxItems: 60, items: { type: 'string', maxLength: 10 } } },
        'x-kubernetes-validations': [{ rule: 'self.names.all(n, self.names.exists_one(m, m == n))' }],
      },
    },
  },
});
const POLICY = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'named' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['example.com'], apiVersions: ['*'], operations: ['CREATE'], resources: ['widgets'] }],
    },
    validations: [{ expression: 'object.spec.names.all(n, n.startsWith("n"))' }],
  },
};
const BINDING = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'named' },
  spec: { policyName: 'named', validationActions: ['Deny'] },
};

const ms = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1000 + nanoseconds / 1e6;
const isRoot = ({ name }: ReadSpan): boolean => name === 'POST /evaluate';

/** Returns the share of a span's duration that none of its child spans covers. */
function uncoveredShare(root: ReadSpan, spans: readonly ReadSpan[]): number {
  const children = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === root.spanContext().spanId);
  let reached = ms(root.startTime);
  let uncovered = 0;
  for (const { startTime, endTime } of children.toSorted((a, b) => ms(a.startTime) - ms(b.startTime))) {
    uncovered += Math.max(0, ms(startTime) - reached);
    reached = Math.max(reached, ms(endTime));
  }
  uncovered += Math.max(0, ms(root.endTime) - reached);
  return uncovered / (ms(root.endTime) - ms(root.startTime));
}

it('a batch with policies has one trace, whose spans cover at least 85 % of its time', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `n${i}`);
  const objects = names.map((name, i) => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default' },
    spec: { size: i, names },
  }));
  const shares: number[] = [];
  for (let round = 0; round < 6; round++) {
    finished = [];
    const answer = await fetch(`${url}/evaluate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ definitions: [DEFINITION], policies: [POLICY, BINDING], objects }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ summary: { accepted: 60 } });
    await expect.poll(() => finished.some(isRoot)).toBe(true);
    const root = finished.find(isRoot)!;
    const below = (parent: ReadSpan): ReadSpan[] =>
      finished.filter((span) => span.parentSpanContext?.spanId === parent.spanContext().spanId);
    const steps = below(root);
    // On a busy machine, objects seem expensive and are split into more than one chunk.
    expect([...new Set(steps.map(({ name }) => name))].sort()).toEqual([
      'collect verdicts',
      'judge definitions',
      'read batch',
      'run chunk',
      'send answer',
      'wait for verdicts',
    ]);
    const inChunk = steps.flatMap((step) => (step.name === 'run chunk' ? below(step) : [])).map(({ name }) => name);
    expect(inChunk.filter((name) => name === 'validate object')).toHaveLength(60);
    expect(new Set(inChunk)).toEqual(new Set(['ready the thread', 'validate object', 'bring verdicts back']));
    shares.push(uncoveredShare(root, finished));
  }
  // Spans have whole milliseconds, and a busy machine may pause anywhere. So the best trace shows whether a step lacks a span.
  expect(Math.min(...shares)).toBeLessThan(0.15);
});

it('a study is a span in the trace of its request, and has a span for each cell', async () => {
  finished = [];
  const answer = await fetch(`${url}/benchmarks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ definitions: [DEFINITION], budget: '1s' }),
  });
  expect(await answer.json()).toMatchObject({ traceId: answer.headers.get('x-trace-id') });
  await expect.poll(() => finished.some(({ name }) => name === 'study')).toBe(true);
  const [request, root] = ['POST /benchmarks', 'study'].map((name) => finished.find((span) => span.name === name)!);
  expect(root!.parentSpanContext?.spanId).toBe(request!.spanContext().spanId);
  expect(root!.attributes).toMatchObject({ 'assay.definitions': 1, 'assay.study.budget_ms': 1000, 'assay.study.restarts': 0 });
  const cells = finished.filter(({ parentSpanContext }) => parentSpanContext?.spanId === root!.spanContext().spanId);
  expect(new Set(cells.map(({ name }) => name))).toEqual(new Set(['study cell']));
  const report = await (await fetch(`${url}${answer.headers.get('location')}/report`)).json();
  expect(report).toMatchObject({
    traceId: answer.headers.get('x-trace-id'),
    slowestCells: cells.map(() => ({ ms: expect.any(Number) as number })),
  });
  const [first, second] = cells.toSorted((a, b) => ms(a.startTime) - ms(b.startTime)).map(({ attributes }) => attributes);
  expect([first, second]).toMatchObject([
    { 'assay.cell.kind': 'explain', 'assay.definition': 'widgets.example.com' },
    {
      'assay.cell.kind': 'costs',
      'assay.definition': 'widgets.example.com',
      'assay.rule.path': 'v1 properties[spec].x-kubernetes-validations[0]',
      'assay.cell.ms': expect.any(Number) as number,
    },
  ]);
});
