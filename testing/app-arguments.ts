import { join } from 'node:path';

/** A program of the service. */
export type App = 'api' | 'worker';

/** Returns the arguments with which Node runs an app from dist/ of the project's folder, as `npm start` and the image do. */
export function builtArguments(app: App, project: string): string[] {
  const folder = join(project, 'dist/apps', app, 'src');
  return [...(app === 'api' ? ['--max-semi-space-size=16'] : []), '--import', join(folder, 'preload.js'), join(folder, 'main.js')];
}

/** Returns the arguments with which Node runs an app from the sources of the project's folder; decorators are transpiled. */
export function sourceArguments(app: App, project: string): string[] {
  const folder = join(project, 'apps', app, 'src');
  const transpiler = join(project, 'apps/api/test/transpile-decorators.ts');
  return ['--conditions=source', '--import', transpiler, '--import', join(folder, 'preload.ts'), join(folder, 'main.ts')];
}

/**
 * Returns the arguments with which a test runs an app: from dist/ if `scripts/check.mjs` runs the test, since it is built before, else from source.
 * A program starts from dist/ in half the time.
 */
export function testedArguments(app: App): string[] {
  const project = join(import.meta.dirname, '..');
  return process.env['ASSAY_BUILT'] === undefined ? sourceArguments(app, project) : builtArguments(app, project);
}
