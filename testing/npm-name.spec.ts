import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
/** A command that has npm look for the bare name of the package, which is not ours there. A path, an address or a variable before the name is fine. */
const BY_NAME =
  /\b(?:npx|npm (?:i|install|exec|x)|pnpm (?:add|dlx)|yarn (?:add|dlx)|bunx)\b(?:[ \t]+(?!--package|-p\b)[-\w=@./"$]+)*?[ \t]+["']?assay(?:@[\w.-]+)?(?=["'`\s\\]|$)/;
const WITH_NPX = ['n', 'px'].join('');

describe('the name of the package on npm', () => {
  it.each([
    [`${WITH_NPX} --yes assay evaluate`, true],
    [`    - ${WITH_NPX} assay@1.2.3 test`, true],
    [`${['npm', 'install'].join(' ')} --global assay`, true],
    [`${WITH_NPX} --yes --package=./assay-0.1.0.tgz assay evaluate`, false],
    ['npm install --global "$ASSAY_TARBALL"', false],
    ['npm run --silent assay -- evaluate', false],
  ])('is asked for by %s: %s', (line, requested) => {
    expect(BY_NAME.test(line)).toBe(requested);
  });

  it('is asked for by no file of the project, until a scoped name is ours', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
    const asking = files
      .filter((file) => file !== '' && file !== 'testing/npm-name.spec.ts' && existsSync(join(ROOT, file)))
      .filter((file) =>
        readFileSync(join(ROOT, file), 'utf8')
          .split('\n')
          .some((line) => BY_NAME.test(line)),
      );
    expect(asking).toEqual([]);
  });
});
