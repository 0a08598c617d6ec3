// Mutants of what meets bytes and clients first: the YAML reader, HTTP, identities, and the scripts that Redis runs. Read by `mutants.mjs`.

const YAML = ['libs/go/src/yaml'];
const yaml = 'libs/go/src/yaml';
const api = 'apps/api/src';
const scripts = 'libs/jobs/src/bullmq/lua/store.lua';
const HTTP = ['apps/api/test/http.spec.ts'];
const IDENTITY = ['apps/api/test/identity.spec.ts', 'apps/api/test/access.spec.ts'];
const REDIS = ['libs/jobs/test/life-walk.spec.ts', 'libs/jobs/src/bullmq/redis-queue.spec.ts'];

/** @type {(id: string, file: string, find: string, replace: string, breaks: string, specs: readonly string[]) => import('./mutants.mjs').Mutant} */
const mutant = (id, file, find, replace, breaks, specs) => ({ id, file, find, replace, breaks, specs });

/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const EDGE_MUTANTS = [
  mutant('yaml-depth', `${yaml}/scanner.ts`, 'MAX_DEPTH = 10_000', 'MAX_DEPTH = 10_010', 'how deep collections may be', YAML),
  mutant('yaml-key-length', `${yaml}/simple-keys.ts`, 'LONGEST_KEY = 1024', 'LONGEST_KEY = 1025', 'how long a simple key may be', YAML),
  mutant('yaml-words', `${yaml}/resolve-scalar.ts`, 'LONGEST_WORD = 5', 'LONGEST_WORD = 4', 'FALSE is a truth value', YAML),
  mutant(
    'yaml-unsigned',
    `${yaml}/resolve-scalar.ts`,
    'MAX_UINT64 = 2n ** 64n - 1n',
    'MAX_UINT64 = 2n ** 63n',
    'integers go up to 2^64-1',
    YAML,
  ),
  mutant(
    'yaml-fold',
    `${yaml}/fold-breaks.ts`,
    "others === '' ? ' ' : others",
    "others === '' ? ' ' : first + others",
    'a fold drops one line end',
    YAML,
  ),
  mutant(
    'yaml-chomp',
    `${yaml}/scan-block-scalar.ts`,
    "chomping !== 'strip'",
    "chomping === 'keep'",
    'a clipped scalar keeps its last line end',
    YAML,
  ),
  mutant(
    'yaml-indented-fold',
    `${yaml}/scan-block-scalar.ts`,
    '!literal && !indented && !blank',
    '!literal && !blank',
    'lines after indented ones do not fold',
    YAML,
  ),
  mutant('yaml-alias-share', `${yaml}/alias-budget.ts`, 'return 0.1;', 'return 0.9;', 'how much of a large document may be aliases', YAML),
  mutant(
    'http-foreign-page',
    `${api}/http/check-host.ts`,
    'if (open && isForeign(request, isOwn))',
    'if (false)',
    'pages of other sites are refused',
    HTTP,
  ),
  mutant(
    'http-foreign-host',
    `${api}/http/check-host.ts`,
    'if (open && !isOwn(authority))',
    'if (false)',
    'names of other sites are refused',
    HTTP,
  ),
  mutant('http-idle-stream', `${api}/http/body-times.ts`, 'Math.min(left, this.#idleMs)', 'left', 'silent clients are ended', HTTP),
  mutant('http-open-requests', `${api}/http/limit-open-requests.ts`, 'open >= maxOpenRequests', 'false', 'open requests are bounded', HTTP),
  mutant('identity-expiry', `${api}/access/key-ring.ts`, 'holder.expires <= Date.now()', 'false', 'keys expire', IDENTITY),
  mutant(
    'identity-roles',
    `${api}/access/authenticate.ts`,
    '!wanted.some((role) => client.roles.has(role))',
    'false',
    'a route needs a role',
    IDENTITY,
  ),
  mutant(
    'identity-operator',
    `${api}/access/client.ts`,
    "owner === name || roles.has('operate')",
    'owner === name',
    'operators read evaluations of all',
    IDENTITY,
  ),
  mutant('identity-audience', `${api}/access/json-web-tokens.ts`, '        audience,\n', '', 'a token is for this service', IDENTITY),
  mutant(
    'redis-once',
    scripts,
    "judged = call('HEXISTS', resultsKey(id), args.part) == 1",
    'judged = false',
    'a result is stored once',
    REDIS,
  ),
  mutant(
    'redis-last',
    scripts,
    "last = number(key, 'done') + 1 == number(key, 'total')",
    'last = false',
    'the last result ends an evaluation',
    REDIS,
  ),
];
