import { resolve } from 'node:path';
import { median } from '#benchmark';
import { judgeDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { isJsonObject, readJson, writeJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { PROJECT } from '../places.ts';
import { compiled, compileRules, timed } from '../workloads/judging.ts';
import { yamlObject } from '../workloads/object-cases.ts';

/**
 * Measures compiling one definition in a separate process: `measure-definition FILE ROUNDS` writes a JSON object. `coldMs` is the time of the
 * first compilation, and `warmMs` the median time of the later half of the repetitions.
 */
const [file = '', rounds = '5'] = process.argv.slice(2);
const body = writeJson(yamlObject(file));

/** Definition that is not measured. Reading it several times removes cached data of earlier definitions from the thread. */
const other = yamlObject(resolve(PROJECT, 'examples/gateway-api/httproute-crd.yaml'));

function forget(): void {
  judgeDefinition(Buffer.from(writeJson(other)), undefined, { minor: LATEST_MINOR, contentType: 'application/json' });
  for (let time = 0; time < 2; time++) compiled(other);
}

/** Does everything that a server does with a definition before the first object: decodes it, admits it, and compiles all versions completely. */
function compile(): CompiledDefinition {
  const reading = readJson(body);
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('the definition is not readable');
  const definition = compiled(reading.value);
  // Go compiles schemas and rules immediately. Reading `openapi` makes Assay create the validators now, too. Assay still creates validators
  // of inner nodes later, and plans a rule later if its planning cannot fail.
  for (const version of compileRules(definition)) void version.openapi;
  return definition;
}

const cpu = process.cpuUsage();
const cold = timed(compile);
const { user, system } = process.cpuUsage(cpu);
const warm = Array.from({ length: Number(rounds) }, () => {
  forget();
  return timed(compile).ms;
});
process.stdout.write(
  JSON.stringify({
    coldMs: cold.ms,
    coldCpuMs: (user + system) / 1000,
    warmMs: median(warm.slice(-Math.ceil(warm.length / 2))),
    rules: cold.value.rules.length,
    bytes: body.length,
  }),
);
