import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#go';
import type { Minor } from '#kube';
import { ledgerProblems } from '../../../../testing/ledger-problems.ts';
import { BUILTIN_DIFFERENCES, builtInHas } from './minors.ts';
import { builtInKinds } from './table/built-in-kind.ts';
import { readTyped } from './typed/read-typed.ts';

describe('the list of differences in built-in kinds between Kubernetes versions', () => {
  it('contains these entries', () => {
    expect(Object.keys(BUILTIN_DIFFERENCES)).toEqual([
      'embeddedStructsAreNamed',
      'podsHaveResources',
      'podResourcesWait',
      'statefulSetsHaveMaxUnavailable',
      'imageVolumesHavePolicy',
      'driversKeepPodsAway',
      'structsAreSeen',
    ]);
  });

  it('describes for users the effect of each entry', () => expect(ledgerProblems(BUILTIN_DIFFERENCES)).toEqual([]));

  it.each<[Minor, string]>([
    ['1.34', 'HostPathVolumeSource.spec.volumes.hostPath.path'],
    ['1.35', 'HostPathVolumeSource.spec.volumes.VolumeSource.hostPath.path'],
  ])('makes version %s name the field of a decode error as %s', (minor, place) => {
    const pod: JsonValue = { apiVersion: 'v1', kind: 'Pod', spec: { volumes: [{ hostPath: { path: 1 } }] } };
    const kind = builtInKinds(minor).kind('v1', 'Pod');
    expect(kind && readTyped(pod, kind, minor)).toEqual({
      ok: false,
      error: `json: cannot unmarshal number into Go struct field ${place} of type string`,
    });
  });

  it('applies structsAreSeen from 1.37 on', () => {
    expect([builtInHas('1.36', 'structsAreSeen'), builtInHas('1.37', 'structsAreSeen')]).toEqual([false, true]);
  });
});
