import { validateObject } from '#crd';
import { objectCases } from './loadtests/src/workloads/object-cases.ts';
import { compiled } from './loadtests/src/workloads/judging.ts';
import { compileDefinition } from '#crd';
import { LATEST_MINOR, defaultGates } from '#kube';
const only = process.argv[2];
for (const { name, definition, version, bodies } of objectCases()) {
  if (only && !name.startsWith(only)) continue;
  const def = compiled(definition);
  const plain = compiled(definition);
  const served = plain.serve(version)!;
  if (served.ok) (served.version as any).reader = undefined;
  const one = (d: typeof def, body: Buffer) => validateObject(d, { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn', version }, { costLimit: Number.MAX_SAFE_INTEGER, budget: Number.MAX_SAFE_INTEGER });
  let silent = 0, n = 0;
  // warm reader
  for (let i = 0; i < 300000 && n < 400_000; i++) { for (const b of bodies) { n += b.length; one(def, b); } }
  const s = def.serve(version)!; const reader = s.ok ? (s.version.reader as any) : undefined;
  for (const body of bodies) if (reader?.read(body, { ownedFields: 'asSent' } as any, {}) === undefined) silent++;
  const best: Record<string, number> = { reader: 1e9, exact: 1e9, parse: 1e9 };
  const rounds = bodies[0].length > 100000 ? 1 : Math.max(1, Math.ceil(2000 / bodies.length));
  const run = (key: string, f: (b: Buffer) => unknown) => { const t = performance.now(); for (let k = 0; k < rounds; k++) for (const b of bodies) f(b); best[key] = Math.min(best[key]!, (performance.now() - t) * 1000 / rounds / bodies.length); };
  for (const until = performance.now() + 4000; performance.now() < until;) { run('reader', (b) => one(def, b)); run('exact', (b) => one(plain, b)); run('parse', (b) => JSON.parse(b.toString())); }
  console.log(name, 'bodies', bodies.length, 'silent', silent, 'reader', best.reader!.toFixed(2), 'exact', best.exact!.toFixed(2), 'parse', best.parse!.toFixed(2), 'ratio', (best.reader! / best.parse!).toFixed(2));
}
