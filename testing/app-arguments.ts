import { join } from 'node:path';

/** Role of a process of the service, as set in ASSAY_ROLE. */
export type Role = 'node' | 'api' | 'worker';

/** Returns the arguments with which Node runs the service from dist/ of the project's folder, as `npm start` and the image do. */
export function builtArguments(project: string): string[] {
  const folder = join(project, 'dist/apps/api/src');
  return ['--max-semi-space-size=16', '--import', join(folder, 'preload.js'), join(folder, 'main.js')];
}

/** Returns the Node arguments that run the service from the sources in a project folder. Decorators are transpiled when they are loaded. */
export function sourceArguments(project: string): string[] {
  const folder = join(project, 'apps/api/src');
  const transpiler = join(project, 'apps/api/test/transpile-decorators.ts');
  return ['--conditions=source', '--import', transpiler, '--import', join(folder, 'preload.ts'), join(folder, 'main.ts')];
}

/**
 * Returns the Node arguments with which a test runs the service. Under `scripts/check.mjs`, which builds the project first, the service
 * runs from dist/. In all other test runs, it runs from source. Starting from dist/ takes half the time.
 */
export function testedArguments(): string[] {
  const project = join(import.meta.dirname, '..');
  return process.env['ASSAY_BUILT'] === undefined ? sourceArguments(project) : builtArguments(project);
}
