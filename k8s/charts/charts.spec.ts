import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { builtInKinds, readTyped } from '#policy/built-in';
import type { JsonObject } from '#go';
import { MINORS } from '#kube';
import { thorough } from '../../testing/thorough.ts';
import { findHelm, renderChart } from './helm.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const hasKustomize = spawnSync('kubectl', ['version', '--client']).status === 0;
const helm = thorough ? findHelm() : 'the short form of the suite builds nothing';
if (typeof helm === 'string') console.warn(`SKIPPED: charts were not rendered: ${helm}`);
if (!hasKustomize) console.warn('SKIPPED: kustomizations were not rendered: kubectl is absent');

const kustomize = (folder: string) =>
  execFileSync('kubectl', ['kustomize', join(ROOT, 'k8s', folder)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const chart = (name: string, ...given: string[]) => {
  if (typeof helm === 'string') throw new Error(helm);
  return renderChart(helm.path, join(import.meta.dirname, name), name, given);
};
const values = (name: string) => ['--values', join(import.meta.dirname, 'assay', `values-${name}.yaml`), '--set', 'image.tag=latest'];

const SECRETS =
  'accessKeys.secret=assay-access-keys,redis.access.clientSecret=assay-redis-access,redis.access.serverSecret=assay-redis-server';

/** Kinds that projects other than Kubernetes define. Kubernetes has no Go types for these kinds. */
const FOREIGN = new Set(['ScaledObject', 'Issuer', 'Certificate']);

/** Returns the errors that the given minor version of Kubernetes reports when it strictly decodes an object into its Go type. */
function complaints(object: JsonObject, minor: (typeof MINORS)[number]): string[] {
  const kind = builtInKinds(minor).kind(String(object['apiVersion']), String(object['kind']));
  if (kind === undefined) return [`${minor} knows no ${String(object['kind'])}`];
  const reading = readTyped(object, kind, minor);
  return reading.ok ? [...reading.strictErrors] : [reading.error];
}

/** Parses all objects of a YAML text. The text is parsed as YAML 1.1, because Kubernetes reads 0440 as an octal number. */
function objectsOf(yaml: string): JsonObject[] {
  return parseAllDocuments(yaml, { version: '1.1' }).flatMap((document) =>
    document.contents === null ? [] : [document.toJS() as JsonObject],
  );
}

function refusals(yaml: string): string[] {
  const own = objectsOf(yaml).filter(({ kind }) => !FOREIGN.has(String(kind)));
  expect(own.length).toBeGreaterThan(3);
  return MINORS.flatMap((minor) => own.flatMap((object) => complaints(object, minor)));
}

/** Keys that Helm adds to mark the owner of an object, and the checksum key that causes pods to be replaced. */
const OF_HELM = /^(app\.kubernetes\.io\/(instance|managed-by|version)|helm\.sh\/chart|checksum\/.*)$/;

/**
 * Returns a value without the keys that Helm adds. Lists in which every item has a name are sorted by name, because their order has no
 * meaning.
 */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(comparable);
    const nameOf = (item: unknown) => (typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined);
    return items.every((item) => typeof nameOf(item) === 'string')
      ? items.sort((a, b) => String(nameOf(a)).localeCompare(String(nameOf(b))))
      : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const seen = OF_HELM.test(key) ? undefined : comparable(member);
    return seen === undefined ? [] : [[key, seen]];
  });
  return members.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(members);
}

/**
 * Returns the objects of a YAML text by kind and name. Namespaces are left out, because overlays contain a Namespace object and Helm charts
 * do not.
 */
function byName(yaml: string): Record<string, unknown> {
  return Object.fromEntries(
    objectsOf(yaml)
      .filter(({ kind }) => kind !== 'Namespace')
      .map((object) => {
        const { name, namespace: _, ...metadata } = object['metadata'] as { name: string; namespace?: string };
        return [`${String(object['kind'])} ${name}`, comparable({ ...object, metadata })];
      }),
  );
}

describe.skipIf(!hasKustomize)('kustomizations, decoded with the types of every Kubernetes version', () => {
  it.each(['base', 'guard', 'overlays/local', 'overlays/production', 'overlays/keda', 'overlays/workers', 'overlays/guard-self-made'])(
    'contain no unknown field in %s',
    (folder) => {
      expect(refusals(kustomize(folder))).toEqual([]);
    },
  );

  it('are rejected if a field is misspelt, and the error names the field', () => {
    expect(refusals(kustomize('base').replace('maxSurge', 'maxSurges')).slice(0, 1)).toEqual([
      expect.stringContaining('unknown field "spec.strategy.rollingUpdate.maxSurges"'),
    ]);
  });
});

describe.skipIf(typeof helm === 'string' || !hasKustomize)('charts of Helm', () => {
  it.each([
    ['its defaults', 'base', ['--set', 'image.tag=latest']],
    ['values-local.yaml', 'overlays/local', values('local')],
    ['values-production.yaml', 'overlays/production', values('production')],
    ['values-production.yaml with KEDA', 'overlays/keda', [...values('production'), '--set', 'node.autoscaling.by=work']],
    ['workers, keys and a password', 'overlays/workers', ['--set', `image.tag=latest,worker.enabled=true,${SECRETS}`]],
  ])('render the service with %s equal to k8s/%s', (_, folder, given) => {
    const rendered = chart('assay', ...given);
    expect(byName(rendered)).toEqual(byName(kustomize(folder)));
    expect(refusals(rendered)).toEqual([]);
  });

  it.each([
    ['cert-manager', 'guard'],
    ['self-made', 'overlays/guard-self-made'],
  ])('render the guard with a certificate from %s equal to k8s/%s', (from, folder) => {
    const rendered = chart('assay-guard', '--set', `image.tag=latest,certificate.from=${from}`);
    expect(byName(rendered)).toEqual(byName(kustomize(folder)));
    expect(refusals(rendered)).toEqual([]);
  });

  it('put every object into the namespace of the release, and match all its pods with its selectors', () => {
    const objects = objectsOf(chart('assay')).map(
      (object) => object as { kind: string; metadata: { namespace?: string }; spec: JsonObject },
    );
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['assay']));
    for (const { kind, spec } of objects.filter((object) => ['Deployment', 'StatefulSet'].includes(object.kind))) {
      const { matchLabels } = spec['selector'] as { matchLabels: JsonObject };
      expect((spec['template'] as { metadata: { labels: JsonObject } }).metadata.labels, kind).toMatchObject(matchLabels);
    }
  });

  it('give each scaled Deployment one autoscaler, and count the work in Redis for scaled workers', () => {
    const scaled = (...given: string[]) =>
      Object.fromEntries(
        objectsOf(chart('assay', ...given))
          .filter(({ kind }) => ['ScaledObject', 'HorizontalPodAutoscaler'].includes(String(kind)))
          .map(({ spec }) => {
            const { scaleTargetRef, triggers } = spec as { scaleTargetRef: { name: string }; triggers?: { metadata: { query: string } }[] };
            return [scaleTargetRef.name, triggers?.[0]?.metadata.query ?? 'cpu'];
          }),
      );
    const shared = expect.stringContaining('max(assay_shared_queue_waiting)') as string;
    expect(scaled()).toEqual({});
    expect(scaled(...values('production'))).toEqual({ 'assay-node': 'cpu' });
    expect(scaled('--set', 'node.autoscaling.by=work,worker.enabled=true')).toEqual({ 'assay-node': shared });
    expect(scaled('--set', 'node.autoscaling.by=work,worker.enabled=true,worker.autoscaling.enabled=true')).toEqual({
      'assay-node': expect.not.stringContaining('assay_shared_queue_waiting') as string,
      'assay-worker': shared,
    });
  });

  it('render all parts that the default values omit', () => {
    const managed = chart(
      'assay',
      '--set',
      'redis.enabled=false,redis.url=redis://elsewhere:6379,networkPolicies.enabled=false,imagePullSecrets[0].name=pull',
    );
    expect(refusals(managed)).toEqual([]);
    expect(Object.keys(byName(managed)).filter((name) => /Redis|redis|NetworkPolicy/.test(name))).toEqual([]);
    const guard = chart(
      'assay-guard',
      '--set-json',
      'reads=[{"apiGroups":["example.com"],"resources":["*"]}]',
      '--set',
      'certificate.from=secret,certificate.secret=mine,certificate.caBundle=Q0E=',
    );
    expect(refusals(guard)).toEqual([]);
    expect(byName(guard)['ClusterRole assay-guard-reads']).toMatchObject({
      rules: [{ apiGroups: ['example.com'], verbs: ['get', 'list'] }],
    });
    expect(Object.keys(byName(guard)).filter((name) => FOREIGN.has(name.split(' ')[0]!))).toEqual([]);
  });

  it.each([
    ['assay', 'node.replica=3', "additional properties 'replica' not allowed"],
    ['assay', 'node.autoscaling.by=both', "value must be one of '', 'cpu', 'work'"],
    ['assay', 'redis.enabled=false', 'redis.url: without a Redis'],
    ['assay', 'settings.ASSAY_THREADS=2', 'got number, want string'],
    ['assay-guard', 'mode=refuse', "value must be one of 'deny', 'warn', 'audit'"],
    ['assay-guard', 'certificate.from=secret', 'certificate.caBundle: say who signed'],
    ['assay-guard', 'certificate.from=secret,certificate.caBundle=Q0E=', 'certificate.secret: name the Secret'],
  ])('do not render %s with --set %s', (name, setting, why) => {
    expect(() => chart(name, '--set', setting)).toThrow(why);
  });
});

describe('the version in a chart', () => {
  it.each(['assay', 'assay-guard'])('of %s is the version of the package', (name) => {
    const { version, appVersion } = parse(readFileSync(join(import.meta.dirname, name, 'Chart.yaml'), 'utf8')) as Record<string, string>;
    const { version: ours } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;
    expect([version, appVersion]).toEqual([ours, ours]);
  });
});
