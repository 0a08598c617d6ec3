import { validateObject } from '#crd';
import { Session } from 'node:inspector/promises';
import { objectCases } from './loadtests/src/workloads/object-cases.ts';
import { compiled } from './loadtests/src/workloads/judging.ts';
const only = process.argv[2]!;
const { definition, version, bodies } = objectCases().find((c) => c.name.startsWith(only))!;
const def = compiled(definition);
const one = (body: Buffer) => validateObject(def, { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn', version }, { costLimit: 1e15, budget: 1e15 });
for (const until = performance.now() + 2000; performance.now() < until;) for (const b of bodies) one(b);
const s = new Session(); s.connect(); await s.post('Profiler.enable'); await s.post('Profiler.setSamplingInterval', { interval: 100 }); await s.post('Profiler.start');
for (const until = performance.now() + 4000; performance.now() < until;) for (const b of bodies) one(b);
const { profile } = await s.post('Profiler.stop') as any;
const self = new Map<string, number>(); const total = profile.samples.length; const byId = new Map(profile.nodes.map((n: any) => [n.id, n]));
for (const id of profile.samples) { const n: any = byId.get(id); const k = `${n.callFrame.functionName} ${n.callFrame.url.split('/').pop()}:${n.callFrame.lineNumber + 1}`; self.set(k, (self.get(k) ?? 0) + 1); }
for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, Number(process.argv[3] ?? 22))) console.log((100 * v / total).toFixed(1).padStart(5), k);
