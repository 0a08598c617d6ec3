const ALL_TESTS = 'it runs all tests, and this one with them';
const THESE_TESTS = 'npm test runs these tests';
const A_CLUSTER = 'it needs a cluster; apps/cli/test/cluster asks a stand-in';
const DOCKER = 'it needs Docker';
const INSTALLS = 'it installs from the network; scripts/bootstrap.mjs runs it before the tests';
const TARBALL = 'apps/cli/test/action.spec.ts and apps/library/test/package.spec.ts install the tarball';
const RELEASE = 'it is a step of a release; scripts/release/release.spec.ts makes one of a copy of the project';
const PUBLISHES = 'it publishes';
const GO = 'it needs a program that is built with Go';
const TIMES = 'its gates are times, which a busy machine misses';
const MINUTES = 'it takes minutes';
const RESULTS = 'it needs the results of runs that took minutes';

/**
 * Documented commands that CI does not run, with the reasons. An entry may be a page whose commands another spec runs. An entry that
 * matches no documented command makes the spec fail.
 */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'docs/explanation/ten-mistakes.md': 'apps/cli/test/mistakes/mistakes.spec.ts runs it',
  'npm test': ALL_TESTS,
  'ASSAY_THOROUGH=1 npm test': ALL_TESTS,
  "NODE_OPTIONS=--experimental-vm-modules npx jest --testMatch '**/*.test.mjs'": 'it needs Jest, which the project does not install',
  'npx vitest run apps/page': THESE_TESTS,
  'npx vitest run libs/crd': THESE_TESTS,
  'npm run build': 'npm start builds before other commands run',
  'npm ci': INSTALLS,
  'npm install --global "$ASSAY_TARBALL"': TARBALL,
  'npm install "$ASSAY_TARBALL"': TARBALL,
  'ASSAY_REDIS_URL=redis://… npm start': 'it serves until it is ended; apps/api/test/fleet.spec.ts starts a fleet',
  'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npm start':
    'it serves until it is ended; apps/api/test/watching.spec.ts starts processes with traces',
  'ASSAY_REDIS_URL=redis://127.0.0.1:6379 npm run dashboard': 'it installs from the network; apps/api/test/dashboard.spec.ts starts it',
  'npm run worker': 'it serves until it is ended; apps/api/test/fleet.spec.ts starts a fleet',
  'curl --fail --header "PRIVATE-TOKEN: $GITLAB_TOKEN" --form "body=<comment.md" "$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes"':
    'it writes to a project of GitLab',
  'kubectl get -o yaml': 'it needs a cluster',
  'kubectl apply --dry-run=server': 'it needs a cluster',
  'kubectl apply -k k8s/overlays/local': 'it needs a cluster',
  'kubectl apply -k k8s/guard': 'it needs a cluster',
  'kubectl label namespace assay pod-security.kubernetes.io/enforce=restricted': 'it needs a cluster',
  'kubectl kustomize': 'it needs kubectl',
  'helm install assay k8s/charts/assay --namespace assay --create-namespace --values k8s/charts/assay/values-production.yaml --set image.repository=registry.example.com/assay':
    'it needs a cluster; k8s/charts/charts.spec.ts renders the chart',
  'helm install assay-guard k8s/charts/assay-guard --namespace assay-guard --create-namespace --set-json \'reads=[{"apiGroups":["example.com"],"resources":["*"]}]\'':
    'it needs a cluster; k8s/charts/charts.spec.ts renders the chart',
  'docker compose up --build': DOCKER,
  'docker compose --profile workers up': DOCKER,
  'ASSAY_BIND=0.0.0.0 docker compose up': DOCKER,
  'docker compose -f docker-compose.yml -f docker-compose.secured.yml up': DOCKER,
  'docker compose stop': DOCKER,
  'docker run --rm -p 16686:16686 -p 4318:4318 jaegertracing/jaeger:2.11.0': DOCKER,
  'docker load --input assay.tar': DOCKER,
  'assay what-if --cluster --to new.yaml': A_CLUSTER,
  'assay evaluate --cluster -f changes/': A_CLUSTER,
  'assay explain --cluster': A_CLUSTER,
  'assay upgrade-check --to-version 1.37': A_CLUSTER,
  './assay load --cluster -f objects/': A_CLUSTER,
  './assay load --cluster -f crds/ --worst --duration 2m': A_CLUSTER,
  './assay load --cluster -f crds/ --worst -o html > load.html': A_CLUSTER,
  './assay load --cluster --temporary-definitions -f crd.yaml --budget 30s --duration 2m': A_CLUSTER,
  './assay load --cluster --clean-up': A_CLUSTER,
  'assay load --cluster --temporary-definitions': A_CLUSTER,
  'assay load --cluster --clean-up': A_CLUSTER,
  'npm run loadtest -- real-server --full': GO,
  'assay upgrade-check dump/ -k 1.36 --to-version 1.37': 'it needs a dump of a cluster',
  './assay upgrade-check dump/ -k 1.36 --to-version 1.37': 'it needs a dump of a cluster',
  'ASSAY_LIVE_KUBECONFIG=FILE npx vitest run apps/cli/test/cluster/live.spec.ts': 'it needs an API server that nobody else uses',
  'npm run tool -- gator FOLDER': 'it needs a clone of gatekeeper-library; conformance/test/gator.spec.ts holds its parts',
  'npm run tool -- oracle-diff FILE --oracle PATH': GO,
  'npm run tool -- minor-diff --oracle PATH': GO,
  'npm run tool -- minor-diff --oracle PATH --policy-oracle PATH --show 1': GO,
  './assay matrix FOLDER --minors 1.37,1.38 -o markdown --chart docs/reports/next-minor.svg > docs/reports/next-minor.md':
    'it would overwrite the report; apps/cli/test/causes.spec.ts makes one',
  'npm run tool -- decode-diff --program PATH --kubernetes 1.37 [--count N --seed S --defaults]': GO,
  'npm run tool -- decode-diff --defaults': GO,
  'npm run image -- --out assay.tar --tag assay:latest': 'it needs Debian; scripts/image/image.spec.ts builds the image there',
  'npm version --no-git-tag-version X.Y.Z': RELEASE,
  'npm run release -- --out ../release': RELEASE,
  'npm run release -- --out ../draft --draft': RELEASE,
  'npm run release -- --out release --tag "$GITHUB_REF_NAME"': RELEASE,
  'npm publish --dry-run --offline ../release/assay-dev-assay-X.Y.Z.tgz': RELEASE,
  'npm publish --provenance assay-dev-assay-X.Y.Z.tgz': PUBLISHES,
  'npm publish --provenance "./release/assay-dev-assay-${GITHUB_REF_NAME#v}.tgz"': PUBLISHES,
  'helm push assay-X.Y.Z.tgz oci://registry.example.com/charts': PUBLISHES,
  'npx --yes @vscode/vsce publish --packagePath assay-vscode-X.Y.Z.vsix': PUBLISHES,
  'npm run chaos -- --faults N --seed S': `${MINUTES}, and a Redis; loadtests/src/chaos holds its parts`,
  'assay bench crds/ --base origin/main --no-times --fail-on "refused,cost-worse>400%,limit-share>25%,new-rule-share>10%,undecided" -o github':
    'apps/cli/test/bench-command.spec.ts runs it in a repository',
  'npm run tool -- mutate --kept': MINUTES,
  'npm run tool -- real-rules': MINUTES,
  'npm run bench -- predictions': GO,
  'npm run bench -- policies': GO,
  'npm run bench -- fleet': TIMES,
  'npm run bench -- natives': MINUTES,
  'npm run bench -- definitions': TIMES,
  'npm run bench -- all --compare REVISION [--bound 1.05] [--quick]': MINUTES,
  'npm run loadtest -- fairness --full': MINUTES,
  'npm run loadtest -- [EXPERIMENT…] --full --out DIR': MINUTES,
  'npm run loadtest -- report DIR': RESULTS,
  'npm run loadtest -- publish DIR': RESULTS,
};

/**
 * Documented commands that run only in thorough test runs (testing/thorough.ts). Each of them takes more than ten seconds, or does what a
 * spec of every test run also does. These specs are real-runs.spec.ts, readings.spec.ts and floors.spec.ts.
 */
export const LONG: readonly string[] = [
  'npm run loadtest -- [EXPERIMENT…] --smallest',
  'npm run tool -- readings [--objects N --seed S]',
  'npm run fidelity -- crds-1.38',
  'npm run --silent pack',
  'npm run tool -- coverage [--show N]',
  'npm run executable',
  'npm run site -- --out public',
  'npm run loadtest -- [EXPERIMENT…] --quick',
  'npm run loadtest -- baselines',
  'CEL_GRAMMAR_FUZZ=N npx vitest run libs/cel/src/language/syntax/grammar-fuzz.spec.ts',
];
