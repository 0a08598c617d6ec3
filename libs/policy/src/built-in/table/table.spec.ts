import { describe, expect, it } from 'vitest';
import { MINORS } from '#kube';
import type { Minor } from '#kube';
import { builtInKinds } from './built-in-kind.ts';
import type { GoType, StructType } from './go-type.ts';
import { holdsIn, builtInTypes } from './read-table.ts';

/** Accesses all fields of a type and of all types to which the type refers, so that they are read from the table. */
function visit(type: GoType, seen: Set<string>): void {
  if (type.kind === 'pointer') visit(type.to, seen);
  else if (type.kind === 'list' || type.kind === 'map') visit(type.of, seen);
  else if (type.kind === 'struct' && !seen.has(type.name)) {
    seen.add(type.name);
    for (const field of type.fields.values()) visit(field.type, seen);
  }
}

describe('the table of built-in kinds and types', () => {
  it.each(MINORS)('%s: has the types of all fields of each kind', (minor) => {
    const seen = new Set<string>();
    for (const kind of builtInKinds(minor).all) visit(kind.type, seen);
    expect(seen.size).toBeGreaterThan(700);
  });

  it.each<[string, Minor, string | undefined]>([
    ['resizePolicy', '1.30', '[]v1.ContainerResizePolicy'],
    ['restartPolicyRules', '1.33', undefined],
    ['restartPolicyRules', '1.34', '[]v1.ContainerRestartRule'],
  ])('gives the field %s of a container in %s the type %s (undefined: no such field)', (name, minor, text) => {
    expect(builtInTypes(minor).struct('core/v1.Container').fields.get(name)?.type.text).toBe(text);
  });

  it('states for each field how server-side apply merges it', () => {
    const types = builtInTypes('1.37');
    const merge = (struct: StructType, name: string): unknown => struct.fields.get(name)?.merge;
    const container = types.struct('core/v1.Container');
    expect(merge(container, 'ports')).toEqual({ kind: 'map', keys: ['containerPort', 'protocol'] });
    expect(merge(container, 'args')).toBeUndefined();
    expect(merge(types.struct('meta/v1.ObjectMeta'), 'finalizers')).toEqual({ kind: 'set' });
    expect(merge(types.struct('core/v1.PodSpec'), 'nodeSelector')).toEqual({ kind: 'atomic' });
    expect(merge(types.struct('core/v1.PersistentVolumeSpec'), 'claimRef')).toEqual({ kind: 'granular' });
    expect(types.struct('core/v1.ContainerPort').fields.get('protocol')?.keyDefault).toBe('TCP');
    expect([types.struct('core/v1.ObjectReference').isAtomic, container.isAtomic]).toEqual([true, false]);
  });

  it('contains plural names, scopes and subresources of resources', () => {
    const kinds = builtInKinds('1.37');
    expect(kinds.kind('v1', 'Pod')?.resource?.subresources).toContain('exec');
    expect(kinds.ofResource('networking.k8s.io/v1', 'networkpolicies')?.kind).toBe('NetworkPolicy');
    expect(kinds.kind('rbac.authorization.k8s.io/v1', 'ClusterRole')?.resource).toEqual({
      plural: 'clusterroles',
      namespaced: false,
      subresources: [],
    });
    expect(kinds.kind('autoscaling/v1', 'Scale')?.resource).toBeUndefined();
    expect(kinds.kind('autoscaling/v2beta1', 'HorizontalPodAutoscaler')).toBeUndefined();
    expect(builtInKinds('1.30').kind('autoscaling/v2beta1', 'HorizontalPodAutoscaler')).toBeDefined();
  });

  it('contains kinds and fields that are new in 1.38', () => {
    const plural = (minor: Minor): string | undefined =>
      builtInKinds(minor).kind('scheduling.k8s.io/v1beta1', 'CompositePodGroup')?.resource?.plural;
    const profile = (minor: Minor): string | undefined => builtInTypes(minor).struct('core/v1.SeccompProfile').fields.get('oci')?.type.text;
    expect([plural('1.37'), plural('1.38')]).toEqual([undefined, 'compositepodgroups']);
    expect([profile('1.37'), profile('1.38')]).toEqual([undefined, '*v1.SecurityProfileOCI']);
  });

  it.each<[string | undefined, number, boolean]>([
    [undefined, 30, true],
    ['+31', 30, false],
    ['+31', 31, true],
    ['-35', 34, true],
    ['-35', 35, false],
    ['+31-35', 35, false],
  ])('applies an entry with the range %s (undefined: all versions) in 1.%i: %s', (range, minor, holds) => {
    expect(holdsIn(range, minor)).toBe(holds);
  });
});
