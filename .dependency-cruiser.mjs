// Rules of the architecture: which module may import which (docs/contributing/architecture.md, "Who may import whom"). `npm run tool --
// imports` checks them.
const libraries = [
  'numbers',
  'go',
  'kube',
  'cel',
  'crd',
  'policy',
  'documents',
  'runner',
  'jobs',
  'service',
  'editing',
  'telemetry',
  'cluster',
  'report',
  'benchmark',
  'http-server',
];
/** Libraries of this project that each library may import. Imports of all other project libraries are forbidden. */
const allowed = {
  numbers: [],
  go: [],
  kube: ['go'],
  report: ['benchmark', 'kube', 'numbers'],
  telemetry: ['kube', 'go'],
  'http-server': ['kube'],
  cel: ['kube', 'go', 'numbers'],
  documents: ['kube', 'go'],
  crd: ['cel', 'kube', 'go', 'numbers'],
  policy: ['crd', 'cel', 'kube', 'go'],
  cluster: ['documents', 'kube', 'go'],
  editing: ['documents', 'policy', 'crd', 'cel', 'kube', 'go', 'numbers'],
  runner: ['benchmark', 'documents', 'kube', 'go', 'telemetry'],
  jobs: ['documents', 'kube', 'go', 'runner', 'telemetry'],
  benchmark: ['documents', 'crd', 'cel', 'kube', 'go'],
  service: ['benchmark', 'documents', 'kube', 'go', 'jobs', 'runner', 'telemetry'],
};
/** Folders inside libraries in their order. A folder may import only the folders of its library before it. */
const orders = {
  documents: ['scan', 'options', 'item', 'verdict', 'chunk', 'policies', 'request', 'explanation'],
  editing: ['texts', 'findings', 'language'],
  report: ['cost-picture', 'forms', 'charts', 'study'],
};
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/**
 * Layers inside `libs/cel`, each with the list of layers that it may import. `compile.ts` is above all layers and may import every layer.
 */
const celLayers = {
  values: [],
  library: ['values'],
  language: ['library', 'values'],
  engines: ['language', 'library', 'values'],
  prices: ['language', 'library', 'values'],
};
/**
 * Files that may import one layer in addition to the layers that `celLayers` allows. The files in `prices/explain/` need `engines`, because
 * they read records that an engine makes during an evaluation with measurement.
 */
const celExceptions = { prices: ['^libs/cel/src/prices/explain/', 'engines'] };

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    only('no-cycles', 'A cycle hides the direction of the house.', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    only(
      'programs-without-type-cycles',
      'In the service and in the command line, types have one direction, too.',
      { path: '^apps/(api|cli)/' },
      { circular: true },
    ),
    only(
      'commands-apart',
      'A command has a folder of its own. What several commands share is beside the commands.',
      { path: '^apps/cli/src/commands/([^/]+)/' },
      { path: '^apps/cli/src/commands/[^/]+/', pathNot: '^apps/cli/src/commands/$1/' },
    ),
    only(
      'commands-loaded-late',
      'The help loads the declarations of all commands. The code of a command is loaded when it runs.',
      { path: '^apps/cli/src/commands/[^/]+/(command|report/all-reports)\\.ts$' },
      {
        path: '^apps/cli/src/commands/[^/]+/(run[^/]*|report/(?!all-reports)[^/]+)\\.ts$',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    ),
    ...libraries.map((library) => {
      const closed = libraries.filter((other) => other !== library && !allowed[library].includes(other));
      // In runner, only the entry of the threads loads the engine. Specs may import anything.
      const pathNot = ['\\.spec\\.ts$', '/test/', '/testing/', ...(library === 'runner' ? ['^libs/runner/src/thread/'] : [])];
      return only(
        `${library}-imports`,
        `libs/${library} may import: ${allowed[library].join(', ') || 'nothing of ours'}`,
        { path: `^libs/${library}/`, pathNot },
        { path: closed.map((other) => `^libs/${other}/`) },
      );
    }),
    ...Object.entries(celLayers).flatMap(([layer, below]) => {
      const [where, also] = celExceptions[layer] ?? [];
      const closed = (open) => Object.keys(celLayers).filter((other) => other !== layer && !open.includes(other));
      const rule = (name, from, open) =>
        only(name, `libs/cel/src/${layer} may import: ${open.join(', ') || 'no layer above it'}`, from, {
          path: [...closed(open).map((other) => `^libs/cel/src/${other}/`), '^libs/cel/src/compile\\.ts$'],
        });
      const pathNot = ['\\.spec\\.ts$', ...(where === undefined ? [] : [where])];
      return [
        rule(`cel-${layer}`, { path: `^libs/cel/src/${layer}/`, pathNot }, below),
        ...(where === undefined ? [] : [rule(`cel-${layer}-explain`, { path: where, pathNot: '\\.spec\\.ts$' }, [...below, also])]),
      ];
    }),
    only(
      'cel-ground',
      'The folders of values go one way: types, schema, values.',
      { path: '^libs/cel/src/values/types/', pathNot: '\\.spec\\.ts$' },
      { path: '^libs/cel/src/values/(?!types/)' },
    ),
    only(
      'cel-schema',
      'The folders of values go one way: types, schema, values.',
      { path: '^libs/cel/src/values/schema/', pathNot: '\\.spec\\.ts$' },
      { path: '^libs/cel/src/values/(?!types/|schema/)' },
    ),
    ...Object.entries(orders).flatMap(([library, folders]) =>
      folders
        .slice(0, -1)
        .map((folder, i) =>
          only(
            `${library}-${folder}`,
            `libs/${library}/src/${folder} may import: ${folders.slice(0, i).join(', ') || 'no other folder'}`,
            { path: `^libs/${library}/src/${folder}/`, pathNot: '\\.spec\\.ts$' },
            { path: folders.slice(i + 1).map((other) => `^libs/${library}/src/${other}/`) },
          ),
        ),
    ),
    only(
      'policy-built-in',
      'Built-in kinds are below policies, definitions and CEL: libs/policy/src/built-in may import: kube, go',
      { path: '^libs/policy/src/built-in/', pathNot: '\\.spec\\.ts$' },
      { path: ['^libs/(cel|crd)/', '^libs/policy/src/(?!built-in/)'] },
    ),
    only(
      'editing-without-engine',
      'The API and the command line place errors in texts without the engine: only libs/editing/src/language may import policy, crd, cel',
      { path: '^libs/editing/src/(?!language/)', pathNot: '\\.spec\\.ts$' },
      { path: '^libs/(policy|crd|cel)/' },
    ),
    only(
      'report-without-drawing',
      'What #report exports starts without the library that draws charts: #report/charts and #report/study-page load it.',
      { path: '^libs/report/src/(forms/|study/(?!page/)|index\\.ts)', pathNot: '\\.spec\\.ts$' },
      { path: '^libs/report/src/(charts/|study/page/)' },
    ),
    only(
      'thread-imports',
      'The thread entry loads the engine and nothing of the house around it.',
      { path: '^libs/runner/src/thread/', pathNot: '\\.spec\\.ts$' },
      { path: '^libs/jobs/' },
    ),
    only(
      'apps-without-engine',
      'Rules run only where they can be stopped: never in the process of the API itself.',
      { path: '^apps/api/' },
      { path: ['^libs/(cel|crd|policy)/', '^libs/editing/src/language/'] },
    ),
    only(
      'report-without-engine',
      'The process of the API shows reports: the library takes types of benchmark, and no code.',
      { path: '^libs/report/', pathNot: '\\.spec\\.ts$' },
      { path: '^libs/benchmark/', dependencyTypesNot: ['type-only'] },
    ),
    only('nothing-imports-apps', 'An app is an end, not a library.', { path: '^(libs|loadtests|conformance)/' }, { path: '^apps/' }),
    only(
      'testing-for-tests',
      'What tests and the lab share is no part of the product.',
      { path: '^(apps|libs)/', pathNot: ['\\.spec\\.ts$', '/test/', '/testing/'] },
      { path: '(^|/)testing/' },
    ),
    only(
      'testing-alone',
      'What all tests share knows none of them.',
      { path: '^testing/' },
      { path: '^(apps|libs|loadtests|conformance)/' },
    ),
    only(
      'page-judges-in-workers',
      "The page's own thread never judges: what runs rules is reached by messages to a worker.",
      {
        path: '^apps/page/src/',
        pathNot: [
          '^apps/page/src/(judge/(judge|read-texts|[a-z-]+-texts|[a-z-]+-files|write-suite|telling-engine)|language/answer-editor|worker/worker)\\.ts$',
          '\\.spec\\.ts$',
        ],
      },
      { path: ['^libs/(cel|crd|policy|editing|runner|service|documents)/'], dependencyTypesNot: ['type-only'] },
    ),
    only('apps-apart', 'Apps meet in libraries.', { path: '^apps/([^/]+)/' }, { path: '^apps/', pathNot: '^apps/$1/' }),
    only(
      'load-lab-for-load',
      'The product does without the load lab; one command of the clone drives loads with it.',
      { path: '^(apps|libs)/', pathNot: ['^apps/cli/src/commands/load/', '\\.spec\\.ts$', '/test/', '/testing/'] },
      { path: '^loadtests/' },
    ),
    only(
      'in-process-for-library',
      "Only the library, and the page's worker, run rules in the thread that asks; all others run them where they can be stopped.",
      {
        path: '^(apps|loadtests|conformance|libs)/',
        pathNot: ['^apps/library/', '^apps/page/src/judge/', '^libs/runner/src/thread/', '\\.spec\\.ts$'],
      },
      { path: '^libs/runner/src/thread/in-process' },
    ),
    only(
      'inside-by-path',
      'A library is imported by its name; its inside is its own. (The conformance bench looks inside on purpose: it judges single steps.)',
      { path: '^(apps|loadtests)/', pathNot: '\\.spec\\.ts$' },
      {
        path: '^libs/[^/]+/src/(?!(bullmq/|built-in/|charts/|flow/|language/|study/page/)?index\\.ts|thread/(node-linker|in-process)\\.ts)',
      },
    ),
    only(
      'library-inside-by-path',
      'A library is imported by its name; its inside is its own.',
      { path: '^libs/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      {
        path: '^libs/[^/]+/src/(?!(bullmq/|built-in/|charts/|flow/|language/|study/page/)?index\\.ts|thread/node-linker\\.ts)',
        pathNot: '^libs/$1/',
      },
    ),
    only(
      'index-not-from-within',
      'The index is for others.',
      { path: '^libs/([^/]+)/src/', pathNot: '(\\.spec\\.ts$|index\\.ts$)' },
      { path: '^libs/$1/src/index\\.ts$' },
    ),
    only(
      'nest-at-the-edge',
      'Engine libraries are plain TypeScript.',
      { path: '^libs/', pathNot: '\\.module\\.ts$' },
      { path: 'node_modules/@nestjs/' },
    ),
    only(
      'bullmq-in-its-adapter',
      'The queue port hides the broker.',
      { pathNot: ['^libs/jobs/src/bullmq/', '^libs/jobs/src/[^/]*\\.module\\.ts$'] },
      { path: 'node_modules/(bullmq|ioredis)/' },
    ),
    only(
      'threads-in-runner',
      "Threads and processes are the runner's; git is asked in one file, a program for credentials in another, and one for times in Go in a third.",
      {
        path: '^(apps|libs)/',
        pathNot: [
          '^libs/runner/',
          '^apps/cli/src/files/run-git\\.ts$',
          '^apps/cli/src/commands/bench/go-times\\.ts$',
          '^libs/cluster/src/credentials\\.ts$',
          '^libs/policy/generate/built-in/',
          '\\.spec\\.ts$',
          '/test/',
        ],
      },
      { path: '^(node:)?(worker_threads|child_process)$' },
    ),
    only(
      'files-through-one-door',
      'Files of repositories are opened in one folder, which bounds them. Two files are beside it: one watches certificates, and one writes a temporary file.',
      {
        path: '^apps/(cli|library)/src/',
        pathNot: [
          '^apps/cli/src/files/',
          '^apps/cli/src/commands/guard/certificate/serving-certificate\\.ts$',
          '^apps/cli/src/commands/bench/go-times\\.ts$',
          '\\.spec\\.ts$',
        ],
      },
      { path: '^(node:)?(fs|child_process)(/promises)?$' },
    ),
    only(
      'processes-on-a-port',
      'API processes on one port are started and watched in one folder.',
      { path: '^(apps|libs)/', pathNot: ['^apps/api/src/processes/', '\\.spec\\.ts$', '/test/'] },
      { path: '^(node:)?cluster$' },
    ),
    only(
      'vm-in-link',
      'Code from text is linked in one file.',
      { path: '^(apps|libs)/', pathNot: ['^libs/runner/src/thread/node-linker\\.ts$', '\\.spec\\.ts$'] },
      { path: '^(node:)?vm$' },
    ),
    only(
      'engine-runs-anywhere',
      'The engine runs in browsers, too: what only Node has is handed in. Nothing in it can reach the network or the disk.',
      {
        path: '^libs/(numbers|go|kube|cel|crd|policy|editing|report/src/cost-picture)/',
        pathNot: ['\\.spec\\.ts$', '/testing/', '^libs/policy/generate/built-in/'],
      },
      { dependencyTypes: ['core'] },
    ),
    only(
      'no-network-in-engine',
      "Nothing that judges strangers' input can reach the network or the disk.",
      { path: '^libs/documents/', pathNot: '\\.spec\\.ts$' },
      { path: '^(node:)?(http|https|net|dgram|fs|tls|dns|child_process|worker_threads)(/promises)?$' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^dist|\\.d\\.ts$)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};
