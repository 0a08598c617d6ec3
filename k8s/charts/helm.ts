import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Version of Helm with which charts are rendered. */
const VERSION = 'v3.19.4';
const CACHE = resolve(import.meta.dirname, `../../node_modules/.cache/helm-${VERSION}`);

/**
 * Returns the path of the Helm program, or the reason why Helm is not available. The first call builds Helm from Go's module proxy, which
 * takes one or two minutes.
 */
export function findHelm(): { path: string } | string {
  const path = join(CACHE, 'helm');
  if (existsSync(path)) return { path };
  if (spawnSync('go', ['version']).status !== 0) return 'Go is absent, of which Helm would be built';
  mkdirSync(CACHE, { recursive: true });
  const built = spawnSync('go', ['install', `helm.sh/helm/v3/cmd/helm@${VERSION}`], {
    env: { ...process.env, GOBIN: CACHE },
    encoding: 'utf8',
  });
  return built.status === 0 ? { path } : `Helm ${VERSION} could not be built: ${built.stderr.trim().split('\n').at(-1)}`;
}

/** Renders a chart to YAML with Helm. Throws an error with Helm's message if Helm rejects the chart. */
export function renderChart(helm: string, chart: string, release: string, given: readonly string[]): string {
  // A Helm without version information assumes a very old server, so this states a version.
  const argv = ['template', release, chart, '--namespace', release, '--kube-version', '1.37.0', ...given];
  return execFileSync(helm, argv, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
