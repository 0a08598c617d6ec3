import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGE_NAME } from './package-name.ts';

const ROOT = resolve(import.meta.dirname, '..');
/**
 * Pattern of a command that makes npm look up the package by name. The bare name belongs to another project, and the scoped package is not
 * published yet. A command may contain a path, an address or a variable before the name.
 */
const BY_NAME =
  /\b(?:npx|npm (?:i|install|exec|x)|pnpm (?:add|dlx)|yarn (?:add|dlx)|bunx)\b(?:[ \t]+(?!--package|-p\b)[-\w=@./"$]+)*?[ \t]+["']?(?:@assay-dev\/)?assay(?:@[\w.-]+)?(?=["'`\s\\]|$)/;
/** Pattern of an import by the bare name. */
const IMPORTED = /(?:^import |\bimport\(|\brequire\(|\} from )["'`]assay(?:\/(?:testing|vitest))?["'`]/;
const WITH_NPX = ['n', 'px'].join('');

describe('the name of the package on npm', () => {
  it.each([
    [`${WITH_NPX} --yes assay evaluate`, true],
    [`    - ${WITH_NPX} assay@1.2.3 test`, true],
    [`${['npm', 'install'].join(' ')} --global assay`, true],
    [`${['npm', 'install'].join(' ')} ${PACKAGE_NAME}`, true],
    [`${WITH_NPX} ${PACKAGE_NAME}@1.2.3 test`, true],
    [`${WITH_NPX} --yes --package=./assay-0.1.0.tgz assay evaluate`, false],
    ['npm install --global "$ASSAY_TARBALL"', false],
    ['./assay evaluate', false],
  ])('is used by %s: %s', (line, requested) => {
    expect(BY_NAME.test(line)).toBe(requested);
  });

  it('occurs in no file of the project until the package is published', () => {
    expect(filesWith(BY_NAME)).toEqual([]);
  });

  it('includes its scope in every import', () => {
    expect(
      ["import { a } from 'assay';", "await import('assay/testing')", "import 'assay/vitest'"].filter((line) => !IMPORTED.test(line)),
    ).toEqual([]);
    expect(filesWith(IMPORTED)).toEqual([]);
  });
});

/** Returns the files of the project, except this one, that contain a line matching `form`. */
function filesWith(form: RegExp): string[] {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
  return files
    .filter((file) => file !== '' && file !== 'testing/npm-name.spec.ts' && existsSync(join(ROOT, file)))
    .filter((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .some((line) => form.test(line)),
    );
}
