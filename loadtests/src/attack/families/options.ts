import type { Attack, Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { asked, posted } from '../send.ts';

const BATCH = '{"definitions":[],"objects":[{}]}';
const query = (text: string, codes: readonly number[], path = '/evaluate'): Attack =>
  posted(`${path}?${text.slice(0, 60)}`, `${path}?${text}`, ['json', BATCH], codes);

/** Values that no parameter takes. */
const REFUSED = [
  'costPerCall=',
  'costPerCall=NaN',
  'costPerCall=-1',
  'costPerCall=0x10',
  'costPerCall=1e999',
  'costPerCall=Infinity',
  'costPerObject=1e308',
  'costPerEvaluation=,',
  'costPerCall=unlimited',
  'costPerObject=99999999999999999999',
  'costPerCall=1&costPerCall=2',
  'costPerCall[]=1',
  'costPerCall[__proto__]=1',
  'deadline=',
  'deadline=-1s',
  'deadline=1e9s',
  'deadline=1d',
  'deadline=1s&deadline=1h',
  'kubernetesVersion=0.0',
  'kubernetesVersion=__proto__',
  'kubernetesVersion=1.33.0',
  'kubernetesVersion=',
  'featureGates=__proto__=true',
  'featureGates=constructor=true',
  'featureGates=a',
  'featureGates=CRDValidationRatcheting=maybe',
  'fieldValidation=strict',
  'fieldValidation=toString',
  'explain=yes',
  'explain=1',
  'returnObjects=',
  'wait=2',
  'wait=true',
  '__proto__=1',
  'constructor=1',
  'junk=1',
  '%00=1',
  'a[b][c]=1',
  `junk=${'x'.repeat(10_000)}`,
] as const;

const TAKEN = [
  'costPerCall=1',
  'costPerObject=0.5',
  'deadline=1ms',
  'deadline=1h',
  'deadline=9999999999h',
  'kubernetesVersion=1.30',
  'featureGates=',
  'explain=true',
  'asSent=true',
  'timings=true',
] as const;

const NAMES = [
  'wait',
  'kubernetesVersion',
  'featureGates',
  'fieldValidation',
  'deadline',
  'explain',
  'returnObjects',
  'asSent',
  'timings',
  'costPerCall',
  'costPerObject',
  'costPerEvaluation',
  'junk',
  '__proto__',
] as const;
const VALUES = [
  '',
  '0',
  '1',
  '-1',
  'true',
  'false',
  'null',
  '1.37',
  '1e5',
  '10s',
  '%00',
  '%',
  '[]',
  'unlimited',
  '__proto__',
  'Strict',
  'Warn',
  'CRDValidationRatcheting=false',
  '9'.repeat(400),
] as const;

function random(choice: Random): string {
  const pairs = choice.some(
    1 + choice.below(5),
    () => `${choice.of(NAMES)}${choice.of(['=', '', '[]=', '[a]=', '=='])}${choice.of(VALUES)}`,
  );
  return pairs.join(choice.of(['&', '&', ';', '&&']));
}

/** Options and headers. */
export const options: Family = {
  name: 'options',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (choice) => [
    ...REFUSED.map((text) => query(text, [400])),
    ...TAKEN.map((text) => query(text, [200, 400, 408])),
    ...['/explain', '/matrix', '/definitions'].flatMap((path) => [query('junk=1', [400], path), query('kubernetesVersion=x', [400], path)]),
    ...choice.some(60, () => query(random(choice), [200, 202, 400, 408], choice.of(['/evaluate', '/evaluate', '/explain', '/matrix']))),
    ...['application/json;q=0', 'image/png', 'application/x-ndjson;q=0, */*;q=0', ','].map((accept) =>
      asked(
        `Accept: ${accept}`,
        { method: 'POST', path: '/evaluate', headers: { 'content-type': 'application/json', accept }, body: BATCH },
        [200, 406],
      ),
    ),
    ...['a b', 'x'.repeat(64), '../a', '{assay}', '', 'é', '__proto__'].map((flow) =>
      asked(
        `flow ${flow.slice(0, 20)}`,
        {
          method: 'POST',
          path: '/evaluate',
          headers: { 'content-type': 'application/json', 'x-assay-flow': Buffer.from(flow).toString('latin1') },
          body: BATCH,
        },
        [200, 400],
      ),
    ),
    ...['junk=1', 'from[]=1', 'limit=-1', 'from=1e3', 'from=99999999999999999999', 'limit='].map((text) =>
      asked(`results?${text}`, { path: `/evaluations/00000000-0000-4000-8000-000000000000/results?${text}` }, [400, 404]),
    ),
  ],
};
