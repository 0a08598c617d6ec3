import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, readYaml } from '#go';
import type { JsonObject } from '#go';
import { defaultGates, USUAL_CHOICE } from '#kube';
import type { BoundChoice, Minor } from '#kube';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { RecentDefinitions } from '../schema/recent-definitions.ts';
import { boundedDefinition } from '../testing/definition-fixture.ts';
import type { BoundChange } from './bounds.ts';
import { chooseDefinitionBounds } from './explain-definition.ts';

const REGRESSIONS = join(import.meta.dirname, '../../../../../shared/regressions');
const isHere = existsSync(REGRESSIONS);
if (!isHere) console.warn('NO REGRESSIONS: suggested bounds are not compared with real changes. They lie in shared/, beside the project.');

const serverOf = (minor: Minor) => ({ minor, gates: defaultGates(minor) });
const textOf = (file: string): string => readFileSync(join(REGRESSIONS, `${file}.yaml`), 'utf8');

function definitionIn(file: string): JsonObject {
  const read = readYaml(textOf(file));
  if (!read.ok || !isJsonObject(read.value)) throw new Error(`${file} cannot be read`);
  return read.value;
}

/** Returns the chosen bounds of all versions of a definition; undefined if one version has none that suffice. */
function chosenFor(file: string, minors: readonly Minor[], choice: BoundChoice): readonly (readonly [string, BoundChange])[] | undefined {
  const versions = chooseDefinitionBounds(textOf(file), { servers: minors.map(serverOf), choice, recent: new RecentDefinitions() });
  if (versions.some(({ chosen }) => chosen.kind === 'none')) return undefined;
  return versions.flatMap(({ version, chosen }) =>
    chosen.kind === 'found' ? chosen.changes.map((change) => [version, change] as const) : [],
  );
}

/** Returns a definition with changed bounds of its versions. */
const bounded = (file: string, changes: readonly (readonly [string, BoundChange])[]): JsonObject =>
  changes.reduce((definition, [version, change]) => boundedDefinition(definition, [change], version), definitionIn(file));

const accepted = (definition: JsonObject, minor: Minor): boolean => judgeDefinition(definition, undefined, serverOf(minor)).accepted;

describe.skipIf(!isHere)('suggested bounds for real definitions that new Kubernetes versions refused', () => {
  it('are only maxLength bounds of texts in case E2, where the maintainers added such bounds', () => {
    const chosen = chosenFor('E2/before', ['1.37'], USUAL_CHOICE) ?? [];
    const values = Map.groupBy(chosen, ([, { value }]) => value);
    expect(new Set(chosen.map(([, { bound }]) => `${bound.keyword} ${bound.value}`))).toEqual(new Set(['maxLength undefined']));
    expect(new Map([...values].map(([value, bounds]) => [value, bounds.length]))).toEqual(
      new Map([
        [32_768n, 1],
        [65_536n, 20],
      ]),
    );
    expect(accepted(bounded('E2/before', chosen), '1.37')).toBe(true);
    const raised = chosen.map(
      ([version, change]) => [version, { ...change, value: change.value === 32_768n ? 65_536n : change.value }] as const,
    );
    expect(accepted(bounded('E2/before', raised), '1.37')).toBe(false);
    expect(chosenFor('E2/before', ['1.36'], USUAL_CHOICE)).toEqual([]);
    expect(chosenFor('E2/fixed', ['1.36', '1.37'], USUAL_CHOICE)).toEqual([]);
  });

  it.each([
    ['E1/after', '1.34', [], []],
    // Kubernetes 1.33 ignores the maxLength of an int-or-string, and the list has a bound already.
    ['E1/after', '1.33', undefined, ['spec.traffic.extAuth.conditional maxItems 8']],
    ['E1/fixed', '1.33', [], []],
    [
      'E4/before',
      '1.37',
      undefined,
      ['spec.topology.workers.machineDeployments maxItems 128', 'spec.topology.workers.machinePools maxItems 128'],
    ],
    ['E4/fixed', '1.37', [], []],
    ['E5/before', '1.37', ['spec.componentRoutes maxItems 1024'], ['spec.componentRoutes maxItems 1024']],
    ['E5/fixed', '1.37', [], []],
    ['E7/before', '1.37', [], []],
    ['C1/after', '1.37', [], []],
  ] as const)('are as expected, and make the server accept the definition: %s on %s', (file, minor, added, lowered) => {
    for (const [changes, expected] of [
      ['missing', added],
      ['all', lowered],
    ] as const) {
      const chosen = chosenFor(file, [minor], { ...USUAL_CHOICE, changes });
      expect(chosen?.map(([, { bound, value }]) => `${bound.fields} ${bound.keyword} ${value}`)).toEqual(expected);
      if (chosen !== undefined) expect(accepted(bounded(file, chosen), minor)).toBe(true);
    }
  });
});
