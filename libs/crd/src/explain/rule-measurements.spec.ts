import { expect, it } from 'vitest';
import type { CostedPart } from '#cel';
import { MINORS } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { compileStoredDefinition } from '../definition/compile-definition.ts';
import { widget, widgetDefinition } from '../testing/definition-fixture.ts';
import { RuleMeasurements } from './rule-measurements.ts';

const item = {
  type: 'object',
  properties: { port: { type: 'integer' }, name: { type: 'string', maxLength: 20 } },
  'x-kubernetes-validations': [{ rule: 'self.port > 0' }, { rule: "self.name.startsWith('p') || self.port == 1" }],
};
const definition = widgetDefinition({
  type: 'object',
  properties: { ports: { type: 'array', maxItems: 10, items: item } },
  'x-kubernetes-validations': [{ rule: 'self.ports.all(p, p.port != 7)' }],
});
const own = (part: CostedPart): number => (part.actual?.own ?? Number.NaN) + part.parts.reduce((sum, inner) => sum + own(inner), 0);

it.each(MINORS)("a definition's rules are measured over objects, evaluated as %s", (minor) => {
  const compiled = compileStoredDefinition(definition, { minor, engine: 'measured' });
  const plain = compileStoredDefinition(definition, { minor, engine: NODE_ENGINE });
  if (!compiled.ok || !plain.ok) throw new Error('the definition does not compile');
  const measurements = new RuleMeasurements(compiled.definition);
  const bodies = [
    [{ port: 1, name: 'pa' }],
    [
      { port: 2, name: 'x' },
      { port: 3, name: 'py' },
    ],
    [],
  ].map((ports) => widget({ ports }));
  const verdicts = bodies.map((body, i) =>
    measurements.judge(i, { operation: 'CREATE', body, fieldValidation: 'Warn' }, { explain: true }),
  );
  const costs = verdicts.map((verdict) => ('cancelled' in verdict ? undefined : verdict.cost.cel));
  const measured = measurements.rules();
  expect(measured.map(({ path, objects, evaluations }) => [path, objects, evaluations])).toEqual([
    ['properties[spec].x-kubernetes-validations[0]', 3, 3],
    ['properties[spec].properties[ports].items.x-kubernetes-validations[0]', 2, 3],
    ['properties[spec].properties[ports].items.x-kubernetes-validations[1]', 2, 3],
  ]);
  expect(measured.reduce((sum, { cost }) => sum + cost, 0)).toBe(costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0));
  for (const { costliest } of measured) expect(own(costliest.parts)).toBe(costliest.cost);
  expect(measured[2]?.costliest).toMatchObject({ object: 1, at: 'spec.ports[0]' });
  expect(measured[2]?.costliest.parts.parts.map(({ text, actual }) => [text, actual?.evaluations])).toEqual([
    ["self.name.startsWith('p')", 1],
    ['self.port == 1', 1],
  ]);
});
