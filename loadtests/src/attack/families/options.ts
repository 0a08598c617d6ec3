import type { Attack, Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { requestAttack, headed, posted, words } from '../send.ts';

const BATCH = '{"definitions":[],"objects":[{}]}';
const query = (text: string, codes: readonly number[], path = '/evaluate'): Attack =>
  posted(`${path}?${text.slice(0, 60)}`, `${path}?${text}`, ['json', BATCH], codes);

/** Values that the service must refuse, by query parameter. */
const REFUSED: Readonly<Record<string, string>> = {
  costPerCall: 'NaN -1 0x10 1e999 Infinity unlimited 1&costPerCall=2',
  costPerObject: '1e308 99999999999999999999',
  costPerEvaluation: ',',
  deadline: '-1s 1e9s 1d 1s&deadline=1h',
  kubernetesVersion: '0.0 __proto__ 1.33.0',
  featureGates: '__proto__=true constructor=true a CRDValidationRatcheting=maybe',
  fieldValidation: 'strict toString',
  explain: 'yes 1',
  wait: '2 true',
};
const EMPTY = words('costPerCall deadline kubernetesVersion returnObjects');
/** Query parameters that do not exist. */
const UNKNOWN = words('costPerCall[]=1 costPerCall[__proto__]=1 __proto__=1 constructor=1 junk=1 %00=1 a[b][c]=1');

const TAKEN = words(`costPerCall=1 costPerObject=0.5 deadline=1ms deadline=1h deadline=9999999999h kubernetesVersion=1.30
  featureGates= explain=true asSent=true timings=true`);

const NAMES = words(`wait kubernetesVersion featureGates fieldValidation deadline explain returnObjects asSent timings
  costPerCall costPerObject costPerEvaluation junk __proto__`);
const VALUES = [
  '',
  ...words('0 1 -1 true false null 1.37 1e5 10s %00 % [] unlimited __proto__ Strict Warn CRDValidationRatcheting=false'),
  '9'.repeat(400),
];

function random(choice: Random): string {
  const pairs = choice.some(
    1 + choice.below(5),
    () => `${choice.of(NAMES)}${choice.of(['=', '', '[]=', '[a]=', '=='])}${choice.of(VALUES)}`,
  );
  return pairs.join(choice.of(['&', '&', ';', '&&']));
}

/** Attacks with query parameters and headers. */
export const options: Family = {
  name: 'options',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (choice) => [
    ...Object.entries(REFUSED).flatMap(([name, values]) => words(values).map((value) => query(`${name}=${value}`, [400]))),
    ...EMPTY.map((name) => query(`${name}=`, [400])),
    ...[...UNKNOWN, `junk=${'x'.repeat(10_000)}`].map((text) => query(text, [400])),
    ...TAKEN.map((text) => query(text, [200, 400, 408])),
    ...['/explain', '/matrix', '/definitions'].flatMap((path) => [query('junk=1', [400], path), query('kubernetesVersion=x', [400], path)]),
    ...choice.some(60, () => query(random(choice), [200, 202, 400, 408], choice.of(['/evaluate', '/evaluate', '/explain', '/matrix']))),
    ...['application/json;q=0', 'image/png', 'application/x-ndjson;q=0, */*;q=0', ','].map((accept) =>
      headed(`Accept: ${accept}`, { accept }, [200, 406], BATCH),
    ),
    ...['a b', 'x'.repeat(64), '../a', '{assay}', '', 'é', '__proto__'].map((flow) =>
      headed(`flow ${flow.slice(0, 20)}`, { 'x-assay-flow': Buffer.from(flow).toString('latin1') }, [200, 400], BATCH),
    ),
    ...['junk=1', 'from[]=1', 'limit=-1', 'from=1e3', 'from=99999999999999999999', 'limit='].map((text) =>
      requestAttack(`results?${text}`, { path: `/evaluations/00000000-0000-4000-8000-000000000000/results?${text}` }, [400, 404]),
    ),
  ],
};
