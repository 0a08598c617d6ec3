import { describe, expect, it } from 'vitest';
import { DEFAULT_QUEUE_LIMITS } from './limits.ts';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import { DefinitionLoad } from './definition-load.ts';
import type { Flow } from '#runner/flow';

const KIB = 1024;

const flowOf = (name: string, level: Flow['level'] = 'normal'): Flow => ({
  level,
  name,
  division: '',
  weight: 1,
  limits: { ...DEFAULT_FLOW_LIMITS, definitionBytes: 20 * KIB },
});

function loadOf() {
  const load = new DefinitionLoad({ ...DEFAULT_QUEUE_LIMITS, definitionBytes: 50 * KIB });
  const charge = (flow: Flow, digest: string, kib: number, until = 100) => load.charge({ digest, bytes: kib * KIB, until, flow });
  return { load, charge };
}

describe("the bytes of a flow's stored definitions", () => {
  it("are rejected beyond the flow's share, and accepted again after other definitions expired", () => {
    const { load, charge } = loadOf();
    expect(charge(flowOf('a'), '1', 15, 100)).toBeUndefined();
    expect(charge(flowOf('a'), '2', 10)).toBe('flow-definitions');
    expect(charge(flowOf('b'), '2', 10)).toBeUndefined();
    expect(load.expire(100)).toEqual([]);
    expect(load.expire(101).toSorted()).toEqual(['1', '2']);
    expect(charge(flowOf('a'), '3', 10)).toBeUndefined();
  });

  it('are not counted again for a stored text, which stays stored until its latest expiry', () => {
    const { load, charge } = loadOf();
    charge(flowOf('a'), '1', 15, 100);
    expect(charge(flowOf('a'), '1', 15, 200)).toBeUndefined();
    expect(charge(flowOf('b'), '1', 15, 150)).toBeUndefined();
    expect(charge(flowOf('b'), '2', 20, 300)).toBeUndefined();
    expect(load.expire(199)).toEqual([]);
    expect(load.expire(201)).toEqual(['1']);
  });

  it('are counted once if the flow stores the same text under two digests, until both expire', () => {
    const { load, charge } = loadOf();
    charge(flowOf('a'), 'kept', 15, 100);
    const own = { digest: 'own', bytes: 15 * KIB, keptAs: 'kept' };
    expect(load.charge({ ...own, until: 200, flow: flowOf('a') })).toBeUndefined();
    // The other flow stores no definitions of its own.
    expect(load.charge({ ...own, digest: 'other', until: 100, flow: flowOf('b') })).toBeUndefined();
    expect(charge(flowOf('b'), '2', 10)).toBe('flow-definitions');
    expect(load.expire(150)).toEqual(['other']);
    expect(charge(flowOf('a'), '2', 10)).toBe('flow-definitions');
    expect(load.expire(201).toSorted()).toEqual(['kept', 'own']);
    expect(charge(flowOf('a'), '2', 10)).toBeUndefined();
  });

  it('are rejected beyond the share of all flows, even for exempt flows, which have no share of their own', () => {
    const { charge } = loadOf();
    expect(charge(flowOf('probe', 'exempt'), '1', 40)).toBeUndefined();
    expect(charge(flowOf('probe', 'exempt'), '2', 11)).toBe('definitions');
  });

  it("may exceed the flow's share for its first definition, and count as at least 4 KiB", () => {
    const { charge } = loadOf();
    expect(charge(flowOf('a'), 'large', 60)).toBeUndefined();
    const small = loadOf();
    for (const digest of ['1', '2', '3', '4', '5']) expect(small.charge(flowOf('a'), digest, 0)).toBeUndefined();
    expect(small.charge(flowOf('a'), '6', 0)).toBe('flow-definitions');
  });
});
