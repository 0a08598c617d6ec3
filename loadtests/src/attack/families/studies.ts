import { setTimeout } from 'node:timers/promises';
import { definitionOf } from '../../../../testing/hostile-definitions.ts';
import { HOSTILE_STUDIES } from '../../../../testing/hostile-studies.ts';
import type { Answer, Attack, Family, Target } from '../attack.ts';
import { ask, posted, TYPES, words } from '../send.ts';

const RULED = definitionOf('{"type":"string","x-kubernetes-validations":[{"rule":"self != \'a\'"}]}');
/** Highest number of times that an attacker checks whether a study has ended, and the pause between two checks, in ms. */
const [LOOKS, LOOK_MS] = [40, 250];
/** Allowed status codes for the order of a study: 202 if the service accepts the study, 429 if the client has too many studies. */
const ORDERED = [202, 429] as const;

const order = (definition: string, more = ''): string => `{"budget":"1s","seed":1${more},"definitions":[${definition}]}`;
const begin = (target: Target, body: string): Promise<Answer> =>
  ask(target, { method: 'POST', path: '/benchmarks', headers: { 'content-type': TYPES.json }, body });
const locationOf = ({ headers }: Answer): string | undefined => headers['location'];

/** Orders a study, waits for its end, reads its report in all formats, and deletes the study. */
async function follow(target: Target, body: string): Promise<Answer[]> {
  const ordered = await begin(target, body);
  const path = locationOf(ordered);
  if (path === undefined) return [ordered];
  for (let look = 0; look < LOOKS; look++) {
    const { body: state } = await ask(target, { path });
    if (!/"state":"(?:waiting|running)"/.test(state)) break;
    await setTimeout(LOOK_MS);
  }
  const forms = words('application/json text/html image/svg+xml').map((accept) =>
    ask(target, { path: `${path}/report`, headers: { accept } }),
  );
  const ended = [await ask(target, { method: 'DELETE', path }), await ask(target, { method: 'DELETE', path })];
  return [ordered, ...(await Promise.all(forms)), ...ended];
}

/** Orders many studies at once, and deletes the accepted ones. */
async function crowd(target: Target, count: number): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => begin(target, order(RULED))));
  const paths = answers.flatMap((answer) => locationOf(answer) ?? []);
  for (const path of paths) for (let i = 0; i < 2; i++) answers.push(await ask(target, { method: 'DELETE', path }));
  return answers;
}

/** Returns an attack that tries to read, follow or end the study of another client. */
const othersStudy = (name: string, method: string, suffix = ''): Attack => ({
  name,
  codes: [404],
  shapes: ['keyed'],
  send: async (target) => {
    const headers = { ...target.othersCredentials, 'content-type': TYPES.json };
    const theirs = await ask(target, { method: 'POST', path: '/benchmarks', headers, body: order(RULED) });
    return ask(target, { method, path: `${locationOf(theirs) ?? '/not-begun'}${suffix}` });
  },
});

/** Settings that the service must refuse for a study. */
const REFUSED = [
  ...words('0s -1s 1e9s 9999999h 1d NaN').map((budget) => `,"budget":"${budget}"`),
  ',"budget":5',
  ',"seed":-1',
  ',"seed":1.5',
  ',"seed":1e400',
  ',"times":"yes"',
  ',"rule":""',
  `,"rule":"${'x'.repeat(20_000)}"`,
  ',"base":{"definitions":5}',
  ',"base":{"name":"","definitions":[]}',
  ',"__proto__":{"a":1}',
  ',"objects":{}',
  ',"junk":1',
];

const studied = ([name, spec]: (typeof HOSTILE_STUDIES)[number]): Attack => ({
  name: `a study of ${name}`,
  codes: [...ORDERED, 200, 204, 400, 404, 406, 413, 422],
  send: (target) => follow(target, order(definitionOf(spec), ',"times":true')),
});

/** Attacks with orders of studies. */
export const studies: Family = {
  name: 'studies',
  shapes: ['keyed', 'embedded', 'fleet'],
  attacks: () => [
    ...REFUSED.map((more) => posted(`a study with ${more.slice(1, 40)}`, '/benchmarks', ['json', order(RULED, more)], [400, 422])),
    posted('a study of nothing', '/benchmarks', ['json', '{"definitions":[]}'], [400]),
    posted('a study in YAML', '/benchmarks', ['yaml', 'definitions: []'], [415]),
    posted(
      'a study of 3,000 definitions',
      '/benchmarks',
      ['json', () => `{"definitions":[${Array.from({ length: 3000 }, () => RULED).join(',')}]}`],
      [202, 400, 413, 422, 429],
    ),
    ...HOSTILE_STUDIES.map(studied),
    { name: '60 studies at once', codes: [...ORDERED, 204, 404], send: (target) => crowd(target, 60) },
    { name: '1,000 studies at once', codes: [...ORDERED, 204, 404], isLong: true, send: (target) => crowd(target, 1000) },
    othersStudy('the state of another client', 'GET'),
    othersStudy('the report of another client', 'GET', '/report'),
    othersStudy('the progress of another client', 'GET', '/events'),
    othersStudy('the end of a study of another client', 'DELETE'),
  ],
};
