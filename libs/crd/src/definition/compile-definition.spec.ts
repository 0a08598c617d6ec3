import { LATEST_MINOR } from '#kube';
import { describe, expect, it } from 'vitest';
import { NODE_ENGINE } from '#runner/linker';
import { compileDefinition, compileStoredDefinition } from './compile-definition.ts';
import { widgetDefinition } from '../testing/definition-fixture.ts';

const RULED = widgetDefinition({ type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: 'self != "x"' }] });

describe('compiled definitions', () => {
  it('have the same cost, whether the definition is new or stored', () => {
    const fresh = compileDefinition(RULED, { minor: LATEST_MINOR });
    const stored = compileStoredDefinition(RULED, { minor: LATEST_MINOR, engine: NODE_ENGINE });
    expect(fresh.ok && stored.ok && fresh.definition.rules).toEqual(stored.ok && stored.definition.rules);
    expect(fresh.ok && fresh.definition.schemaCost.get('v1')).toBeGreaterThan(0n);
  });

  it('return undefined for an unknown version, and compile each version once', () => {
    const outcome = compileDefinition(RULED, { minor: LATEST_MINOR, engine: NODE_ENGINE });
    if (!outcome.ok) throw new Error(outcome.status.message);
    const { definition } = outcome;
    expect(definition.serve('v2')).toBeUndefined();
    expect(definition.serve('v1')).toBe(definition.serve('v1'));
    expect(definition).toMatchObject({ group: 'example.com', kind: 'Widget', listKind: 'WidgetList', storageVersion: 'v1' });
  });

  it('are replaced by an error with code 422 if a server rejects the definition', () => {
    const outcome = compileDefinition(widgetDefinition({}), { minor: LATEST_MINOR, engine: NODE_ENGINE });
    expect(!outcome.ok && outcome.status.code).toBe(422);
  });
});
