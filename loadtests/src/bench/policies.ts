import { LATEST_MINOR } from '#kube';
import { admit, buildRequest, compilePolicies, readRequest, readWorld } from '#policy';
import { nodeEngine } from '#runner/linker';
import type { AdmissionRequest, CompiledPolicySet, World } from '#policy';
import { fixedText } from '#charts';
import type { BenchTable } from './bench-table.ts';
import { listOf, policyCases } from '../workloads/policy-cases.ts';
import type { PolicyCase } from '../workloads/policy-cases.ts';

/** Decisions of one policy on one request that a core is to make in a second, once warm. */
const WANTED_DECISIONS = 50_000;
/** ms that half of the policies may take to compile. */
const WANTED_COMPILE_MS = 1;

interface PreparedRequest {
  readonly set: CompiledPolicySet;
  readonly request: AdmissionRequest;
  readonly world: World;
}

/** What ValidatingAdmissionPolicies cost on the real corpus: compiling one, and deciding, in CPU time. */
export function benchPolicies(quick: boolean): BenchTable {
  const { requests, compileMs } = prepare(policyCases());
  const rounds = Array.from({ length: quick ? 20 : 80 }, () => decideAll(requests));
  const [first] = rounds;
  const best = rounds.reduce((a, b) => (b.perSecond > a.perSecond ? b : a), { decisions: 0, perSecond: 0 });
  const sorted = [...compileMs].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    columns: ['what', 'figure', 'wanted'],
    rows:
      first === undefined || requests.length === 0
        ? []
        : [
            ['sets of policies, compiled for the first time', String(sorted.length), ''],
            ['ms to compile one, p50', fixedText(at(0.5), 2), `≤ ${WANTED_COMPILE_MS}`],
            ['ms to compile one, p95', fixedText(at(0.95), 2), ''],
            ['requests', String(requests.length), ''],
            ['decisions (policy × request) a round', String(best.decisions), ''],
            ['decisions a CPU second, first round', fixedText(first.perSecond, 0), ''],
            ['decisions a CPU second, best round', fixedText(best.perSecond, 0), `≥ ${WANTED_DECISIONS}`],
          ],
    failedGates: [],
    notes: [
      'Requests are read and typed before; a decision is matching, parameters, all expressions of a policy with exact costs, and what follows.',
      'CPU time of the whole process, garbage collection and compilation in the background included. Machine time is no gate that fails the run.',
    ],
  };
}

function prepare(cases: readonly PolicyCase[]): { readonly requests: readonly PreparedRequest[]; readonly compileMs: readonly number[] } {
  const options = { minor: LATEST_MINOR, engine: nodeEngine('adaptive') };
  const sets = new Map<string, CompiledPolicySet>();
  const compileMs: number[] = [];
  const requests: PreparedRequest[] = [];
  for (const { policies, bindings, document } of cases) {
    const key = JSON.stringify([policies, bindings]);
    if (!sets.has(key)) {
      const started = performance.now();
      const compiled = compilePolicies(policies, bindings, options);
      compileMs.push(performance.now() - started);
      if (compiled.ok) sets.set(key, compiled.set);
    }
    const documents = {
      definitions: listOf(document['crds']),
      params: listOf(document['params']),
      namespaces: listOf(document['namespaces']),
    };
    const world = readWorld({ ...documents, authorizer: listOf(document['authorizer']) }, LATEST_MINOR);
    const built = buildRequest(readRequest(document), world.kinds, LATEST_MINOR);
    const set = sets.get(key);
    if (built.ok && set !== undefined) requests.push({ set, request: built.request, world: world.in(built.request.namespace) });
  }
  return { requests, compileMs };
}

function decideAll(requests: readonly PreparedRequest[]): { readonly decisions: number; readonly perSecond: number } {
  const started = process.cpuUsage();
  let decisions = 0;
  for (const { set, request, world } of requests) decisions += admit(set, request, world).policies.length;
  const { user, system } = process.cpuUsage(started);
  return { decisions, perSecond: decisions / ((user + system) / 1e6) };
}
