import { resolve } from 'node:path';
import { median } from '#benchmark';
import { judgeDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { isJsonObject, readJson, writeJson } from '#go';
import { LATEST_MINOR, MINORS } from '#kube';
import type { Minor } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { collectedHeap } from '../measure/collected-heap.ts';
import { PROJECT } from '../places.ts';
import { compiled, compileRules, timed } from '../workloads/judging.ts';
import { yamlObject } from '../workloads/object-cases.ts';

/** One definition in a process of its own: `definition-cell FILE ROUNDS` writes a JSON object. */
const [file = '', rounds = '5'] = process.argv.slice(2);
const body = writeJson(yamlObject(file));

/** Another definition: what a thread keeps of the last ones is forgotten once it has read some others. */
const other = yamlObject(resolve(PROJECT, 'examples/gateway-api/httproute-crd.yaml'));

function forget(): void {
  judgeDefinition(Buffer.from(writeJson(other)), undefined, { minor: LATEST_MINOR, contentType: 'application/json' });
  for (let time = 0; time < 2; time++) compiled(other);
}

/** Everything that a server does with a definition before the first object: decoded, admitted, and all versions compiled, with all that objects may ask of them. */
function compile(): CompiledDefinition {
  const reading = readJson(body);
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('the definition is not readable');
  const definition = compiled(reading.value);
  // Go compiles both at once. Here they are made when an object asks: validators node by node, rules all but those plans that cannot fail.
  for (const version of compileRules(definition)) void version.openapi;
  return definition;
}

/** ms to judge the definition as so many minors do, one after the other, by what a thread of the engine performs for `POST /matrix`. */
const judgingMs = (minors: readonly Minor[]): number =>
  timed(() => {
    const bytes = Buffer.from(body);
    for (const minor of minors) judgeDefinition(bytes, undefined, { minor, contentType: 'application/json', engine: NODE_ENGINE });
  }).ms;

const cpu = process.cpuUsage();
const cold = timed(compile);
const { user, system } = process.cpuUsage(cpu);
const times = Array.from({ length: Number(rounds) }, () => {
  forget();
  const warm = timed(compile).ms;
  forget();
  const one = judgingMs([LATEST_MINOR]);
  forget();
  return { warm, one, all: judgingMs(MINORS) };
});
const late = times.slice(-Math.ceil(times.length / 2));

/** Heap that one more definition takes, compiled with all that objects may ask of it. */
async function residentBytes(): Promise<number> {
  forget();
  const before = await collectedHeap();
  const kept = compile();
  forget();
  const after = await collectedHeap();
  return kept.versions.length > 0 ? after - before : 0;
}
process.stdout.write(
  JSON.stringify({
    coldMs: cold.ms,
    coldCpuMs: (user + system) / 1000,
    warmMs: median(late.map(({ warm }) => warm)),
    matrixRatio: median(late.map(({ one, all }) => all / one)),
    residentBytes: await residentBytes(),
    rules: cold.value.rules.length,
    bytes: body.length,
    json: body,
  }),
);
