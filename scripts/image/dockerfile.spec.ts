import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_FOLDERS } from './build-image.ts';
import { productionPackages } from './dependency-files.ts';
import { IMAGE_SETTINGS } from './image-settings.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Returns the instructions of the Dockerfile's last stage: the arguments of each instruction, by its name. */
function lastStage(): Map<string, string[]> {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ');
  const instructions = new Map<string, string[]>();
  for (const line of text.slice(text.lastIndexOf('\nFROM ') + 1).split('\n')) {
    const [name, rest] = /^(\w+)\s+(.*)$/.exec(line)?.slice(1) ?? [];
    if (name !== undefined) instructions.set(name, [...(instructions.get(name) ?? []), rest!]);
  }
  return instructions;
}

describe('the Dockerfile, compared with the image that scripts/image builds,', () => {
  const stage = lastStage();
  const only = (name: string) => {
    const [value, ...more] = stage.get(name) ?? [];
    expect(more).toEqual([]);
    return value!;
  };

  it('runs the same command with the same user in the same folder', () => {
    expect(only('USER')).toBe(IMAGE_SETTINGS.User);
    expect(only('WORKDIR')).toBe(IMAGE_SETTINGS.WorkingDir);
    expect(JSON.parse(only('ENTRYPOINT'))).toEqual([]);
    expect(JSON.parse(only('CMD'))).toEqual(IMAGE_SETTINGS.Cmd);
  });

  it('sets the same variables, ports and volumes', () => {
    expect(only('ENV').split(/\s+/)).toEqual(IMAGE_SETTINGS.Env.filter((setting) => !setting.startsWith('PATH=')));
    expect({ [`${only('EXPOSE')}/tcp`]: {} }).toEqual(IMAGE_SETTINGS.ExposedPorts);
    expect({ [only('VOLUME')]: {} }).toEqual(IMAGE_SETTINGS.Volumes);
  });

  it('checks readiness with the same command and interval', () => {
    const [options, command] = only('HEALTHCHECK').split(/\s+CMD\s+/);
    const { Test, Interval, Timeout, StartPeriod, Retries } = IMAGE_SETTINGS.Healthcheck;
    expect(['CMD', ...(JSON.parse(command!) as string[])]).toEqual(Test);
    const seconds = (nanoseconds: number) => `${nanoseconds / 1e9}s`;
    expect(options).toBe(
      `--interval=${seconds(Interval)} --timeout=${seconds(Timeout)} --start-period=${seconds(StartPeriod)} --retries=${Retries}`,
    );
  });

  it('copies the same parts of the project', () => {
    const copied = stage.get('COPY')!.map((line) =>
      line
        .replace(/^--from=build /, '')
        .replaceAll('/assay/', '')
        .split(' ')
        .slice(0, -1),
    );
    expect(copied.flat()).toEqual(['package.json', 'LICENSE', 'node_modules', ...PROJECT_FOLDERS]);
  });
});

describe('the production packages', () => {
  it('are those in the list of npm, without optional packages, which npm always lists', () => {
    const given = ['ls', '--omit=dev', '--omit=optional', '--all', '--parseable'];
    const listed = execFileSync('npm', given, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { optional?: true; devOptional?: true; link?: true }>;
    };
    const required = listed
      .trim()
      .split('\n')
      .map((path) => relative(ROOT, path))
      .filter((path) => path !== '' && !packages[path]?.optional && !packages[path]?.devOptional && !packages[path]?.link);
    const ours = productionPackages(ROOT);
    expect(required.length).toBeGreaterThan(200);
    expect(ours.flatMap(({ path, target }) => (target === undefined ? [path] : [])).sort()).toEqual(required.sort());
    expect(ours.map(({ target }) => target)).toContain('packages/engine');
  });
});
