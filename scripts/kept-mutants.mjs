// Runs the mutants of `mutants.mjs`: breaks one fact at a time in a scratch copy without `../shared` (a stranger's clone), and runs the specs
// that should notice.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFiles } from '../testing/project-files.ts';

/** Longest time in ms for the specs of one mutant. If a mutant makes the specs exceed this time, it counts as detected. */
const TIMEOUT_MS = 300_000;
/** Longest time in ms for the specs of all mutants, which run once without a mutant. */
const ALL_TIMEOUT_MS = 1_200_000;

/**
 * Makes the mutants one after another in each of two copies of the project. Prints each result. Returns whether the specs noticed all of
 * them.
 * @param {readonly import('./mutants.mjs').Mutant[]} mutants
 * @returns {Promise<boolean>}
 */
export async function runKeptMutants(mutants) {
  if (mutants.length === 0) return true;
  const scratch = mkdtempSync(join(tmpdir(), 'assay-mutants-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
  const trees = [clone(join(scratch, 'first')), clone(join(scratch, 'second'))];
  const { failed, first } = await runSpecs(trees[0], [...new Set(mutants.flatMap(({ specs }) => specs))], ALL_TIMEOUT_MS);
  if (failed) {
    console.error(`the specs fail without any mutant: ${first}`);
    return false;
  }
  const queue = [...mutants];
  const survivors = [];
  let done = 0;
  const work = async (tree) => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const { failed: noticed, first: by } = await runSpecsOf(mutant, tree);
      const what = `${mutant.file}: ${mutant.breaks}`;
      console.log(`${String(++done).padStart(3)}/${mutants.length} ${noticed ? `noticed  ${what}: ${by}` : `SURVIVED ${what}`}`);
      if (!noticed) survivors.push(what);
    }
  };
  await Promise.all(trees.map(work));
  for (const what of survivors) console.log(`survived: ${what}`);
  console.log(`tried ${mutants.length}, noticed ${mutants.length - survivors.length}, survived ${survivors.length}`);
  return survivors.length === 0;
}

/** Breaks a fact in a copy of the project, runs its specs there, and restores the copy. */
async function runSpecsOf({ file, find, replace, specs }, tree) {
  const path = join(tree, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  const result = await runSpecs(tree, specs);
  writeFileSync(path, text);
  return result;
}

/** Creates a copy of the files that git tracks or would track, with a link to the dependencies. */
function clone(tree) {
  for (const file of projectFiles('.')) {
    mkdirSync(join(tree, dirname(file)), { recursive: true });
    cpSync(file, join(tree, file));
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

/** Kills all remaining processes of a process group. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
}

/**
 * Runs specs in a copy of the project until the first one fails. `failed` is true if a spec failed or the time ran out. `first` names the
 * first failed spec, if the output contains it.
 */
function runSpecs(tree, specs, timeoutMs = TIMEOUT_MS) {
  return new Promise((done) => {
    const output = [];
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=default', ...specs], {
      cwd: tree,
      env: { ...process.env, CI: 'true', NO_COLOR: '1', ASSAY_TEST_REDIS: '' },
      detached: true,
    });
    const timer = setTimeout(() => endGroup(child.pid), timeoutMs);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(String(text)));
    // The event is not `close`, because processes that a broken spec leaves running may keep the output open. They end with their group.
    child.on('exit', (code) => {
      clearTimeout(timer);
      endGroup(child.pid);
      const text = output.join('');
      done({ failed: code !== 0, first: /^\s*FAIL\s+(.*)$/m.exec(text)?.[1] ?? (code === null ? 'took too long' : text.slice(-2000)) });
    });
  });
}
