import { readFileSync } from 'node:fs';
import { compileDefinition } from '#crd';
import { isJsonObject, readJson, readYaml, writeJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { median } from '../measure/percentile.ts';

/** One definition in a process of its own: `definition-cell FILE ROUNDS` writes `{coldMs, warmMs, rules, bytes}`. */
const [file = '', rounds = '5'] = process.argv.slice(2);
const yaml = readYaml(readFileSync(file));
if (!yaml.ok) throw new Error(yaml.error);
const body = writeJson(yaml.value);

/** Everything that a server does with a definition before the first object: decoded, admitted, and all versions compiled. */
function compile(): { readonly ms: number; readonly rules: number } {
  const started = performance.now();
  const reading = readJson(body);
  const outcome =
    reading.ok && isJsonObject(reading.value) ? compileDefinition(reading.value, { minor: LATEST_MINOR, engine: NODE_ENGINE }) : undefined;
  if (outcome?.ok !== true) throw new Error(outcome?.status.message ?? 'the definition is not readable');
  for (const version of outcome.definition.versions) outcome.definition.serve(version);
  return { ms: performance.now() - started, rules: outcome.definition.rules.length };
}

const cold = compile();
const warm = Array.from({ length: Number(rounds) }, () => compile().ms);
process.stdout.write(
  JSON.stringify({ coldMs: cold.ms, warmMs: median(warm.slice(-Math.ceil(warm.length / 2))), rules: cold.rules, bytes: body.length }),
);
