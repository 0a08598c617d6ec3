import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileDefinition, judgeDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { isJsonObject, readJson, readYaml, writeJson } from '#go';
import { LATEST_MINOR, MINORS } from '#kube';
import type { Minor } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { collectedHeap } from '../measure/collected-heap.ts';
import { median } from '#benchmark';
import { PROJECT } from '../places.ts';
import { compileRules } from '../workloads/judging.ts';

/** One definition in a process of its own: `definition-cell FILE ROUNDS` writes a JSON object. */
const [file = '', rounds = '5'] = process.argv.slice(2);
const yaml = readYaml(readFileSync(file));
if (!yaml.ok) throw new Error(yaml.error);
const body = writeJson(yaml.value);

/** Another definition: what a thread keeps of the last ones is forgotten once it has read some others. */
const other = readYaml(readFileSync(resolve(PROJECT, 'examples/gateway-api/httproute-crd.yaml')));
if (!other.ok) throw new Error(other.error);
const otherDocument = other.value;

function forget(): void {
  judgeDefinition(new TextEncoder().encode(writeJson(otherDocument)), undefined, { minor: LATEST_MINOR, contentType: 'application/json' });
  for (let time = 0; time < 2; time++) compileDefinition(otherDocument, { minor: LATEST_MINOR, engine: NODE_ENGINE });
}

/** Everything that a server does with a definition before the first object: decoded, admitted, and all versions compiled, with all that objects may ask of them. */
function compile(): { readonly ms: number; readonly cpuMs: number; readonly definition: CompiledDefinition } {
  const started = performance.now();
  const cpu = process.cpuUsage();
  const reading = readJson(body);
  const outcome =
    reading.ok && isJsonObject(reading.value) ? compileDefinition(reading.value, { minor: LATEST_MINOR, engine: NODE_ENGINE }) : undefined;
  if (outcome?.ok !== true) throw new Error(outcome?.status.message ?? 'the definition is not readable');
  const { definition } = outcome;
  // Go compiles both at once. Here they are made when an object asks: validators node by node, rules all but those plans that cannot fail.
  for (const version of compileRules(definition)) void version.openapi;
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1000, definition };
}

/** ms to judge the definition as so many minors do, one after the other, by what a thread of the engine performs for `POST /matrix`. */
function judgeBy(minors: readonly Minor[]): number {
  const started = performance.now();
  const slice = { bytes: new TextEncoder().encode(body), notation: 'json' } as const;
  for (const minor of minors) judgeDefinition(slice.bytes, undefined, { minor, contentType: 'application/json', engine: NODE_ENGINE });
  return performance.now() - started;
}

const cold = compile();
const ruleCount = cold.definition.rules.length;
const times = Array.from({ length: Number(rounds) }, () => {
  forget();
  const warm = compile().ms;
  forget();
  const one = judgeBy([LATEST_MINOR]);
  forget();
  return { warm, one, all: judgeBy(MINORS) };
});
const late = times.slice(-Math.ceil(times.length / 2));

/** Heap that one more definition takes, compiled with all that objects may ask of it. */
async function residentBytes(): Promise<number> {
  forget();
  const before = await collectedHeap();
  const kept = compile().definition;
  forget();
  const after = await collectedHeap();
  return kept.versions.length > 0 ? after - before : 0;
}
process.stdout.write(
  JSON.stringify({
    coldMs: cold.ms,
    coldCpuMs: cold.cpuMs,
    warmMs: median(late.map(({ warm }) => warm)),
    matrixRatio: median(late.map(({ one, all }) => all / one)),
    residentBytes: await residentBytes(),
    rules: ruleCount,
    bytes: body.length,
    json: body,
  }),
);
