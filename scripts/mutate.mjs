// A test of the tests: breaks one fact at a time in a scratch copy without `../shared` (a stranger's clone), runs the specs that should
// notice, and lists the mutants that nobody noticed.
//
//   npm run tool -- mutate [--only WORD] [--fresh] [--jobs 1|2] [--list]
//   … --check    only sees whether each mutant still finds what it breaks
//
// What was noticed is remembered while mutant, mutated file and specs stay as they are, so that a run that was interrupted goes on.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GENERATED_FILES } from './generate/generated-files.mjs';
import { MUTANTS } from './mutants.mjs';
import { programArguments } from '../testing/program-arguments.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const { values } = programArguments('usage: npm run tool -- mutate [--only WORD] [--fresh] [--jobs 1|2] [--list] [--check]\n', {
  only: { type: 'string', default: '' },
  fresh: { type: 'boolean', default: false },
  jobs: { type: 'string', default: '2' },
  list: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
});
/** Longest time in ms for the specs of one mutant. If a mutant makes the specs exceed this time, it counts as detected. */
const TIMEOUT_MS = 300_000;
const MEMORY = join(root, 'node_modules/.cache/assay-mutants.json');
const chosen = MUTANTS.filter(({ id, file }) => id.includes(values.only) || file.includes(values.only));

const broken = chosen.flatMap((mutant) => {
  const text = existsSync(mutant.file) ? readFileSync(mutant.file, 'utf8') : '';
  const found = text.split(mutant.find).length - 1;
  return found === 1 ? [] : [`${mutant.id}: ${JSON.stringify(mutant.find)} stands ${found} times in ${mutant.file}`];
});
const doubles = MUTANTS.map(({ id }) => id).filter((id, index, all) => all.indexOf(id) !== index);
if (broken.length + doubles.length > 0) {
  console.error([...broken, ...doubles.map((id) => `${id}: two mutants of this name`)].join('\n'));
  process.exit(2);
}
if (values.check) process.exit(0);
if (values.list) {
  for (const { id, file, breaks } of chosen) console.log(`${id.padEnd(26)} ${file}  ${breaks}`);
  process.exit(0);
}

/** @type {Record<string, string>} */
const noticed = !values.fresh && existsSync(MEMORY) ? JSON.parse(readFileSync(MEMORY, 'utf8')) : {};
const scratch = mkdtempSync(join(tmpdir(), 'assay-mutants-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/** Creates a copy of the files that git tracks or would track and of the generated files, with a link to the dependencies. */
function clone(name) {
  const tree = join(scratch, name, 'tree');
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { maxBuffer: 64 * 1024 * 1024 });
  for (const file of [...files.toString().split('\0'), ...GENERATED_FILES]) {
    if (file === '' || !existsSync(file)) continue;
    mkdirSync(join(tree, dirname(file)), { recursive: true });
    cpSync(file, join(tree, file));
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

/** Kills all remaining processes of a process group. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}

/**
 * Runs specs in a copy of the project until the first one fails. `failed` is true if a spec failed or the time ran out. `first` names the
 * first failed spec, if the output contains it.
 */
function runSpecs(tree, specs) {
  return new Promise((done) => {
    const output = [];
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=default', ...specs], {
      cwd: tree,
      env: { ...process.env, CI: 'true', NO_COLOR: '1', ASSAY_TEST_REDIS: '' },
      detached: true,
    });
    const timer = setTimeout(() => endGroup(child.pid), TIMEOUT_MS);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(String(text)));
    // Not `close`: what a broken spec leaves running may hold on to the output. It goes with its group.
    child.on('exit', (code) => {
      clearTimeout(timer);
      endGroup(child.pid);
      const text = output.join('');
      done({ failed: code !== 0, first: /^\s*FAIL\s+(.*)$/m.exec(text)?.[1] ?? (code === null ? 'took too long' : text.slice(-2000)) });
    });
  });
}

/** Returns a digest of everything that a result depends on: the mutant, the file that it changes, and the specs that run. */
function fingerprint(mutant) {
  const digest = createHash('sha256').update(JSON.stringify(mutant)).update(readFileSync(mutant.file));
  const read = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const entry of readdirSync(path).sort()) read(join(path, entry));
    else if (/\.spec\.ts$|\.jsonl$/.test(path)) digest.update(readFileSync(path));
  };
  mutant.specs.forEach(read);
  if (mutant.specs.some((spec) => spec.startsWith('conformance/test/golden'))) read('conformance/golden');
  return digest.digest('hex');
}

const left = chosen.filter((mutant) => noticed[mutant.id] !== fingerprint(mutant));
const survivors = [];
let done = chosen.length - left.length;
if (done > 0) console.log(`${done} of ${chosen.length} were noticed before`);

const trees = Array.from({ length: Math.min(2, Number(values.jobs) || 1, Math.max(1, left.length)) }, (_, i) => clone(String(i)));
if (left.length > 0) {
  const all = [...new Set(left.flatMap(({ specs }) => specs))];
  const { failed, first } = await runSpecs(trees[0], all);
  if (failed) {
    console.error(`the specs fail without any mutant: ${first}`);
    process.exit(2);
  }
}
const queue = [...left];
await Promise.all(
  trees.map(async (tree) => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const path = join(tree, mutant.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        text.replace(mutant.find, () => mutant.replace),
      );
      const { failed, first } = await runSpecs(tree, mutant.specs);
      writeFileSync(path, text);
      done++;
      console.log(
        `${String(done).padStart(3)}/${chosen.length} ${failed ? 'noticed ' : 'SURVIVED'} ${mutant.id}: ${failed ? first : mutant.breaks}`,
      );
      if (failed) {
        noticed[mutant.id] = fingerprint(mutant);
        mkdirSync(dirname(MEMORY), { recursive: true });
        writeFileSync(MEMORY, JSON.stringify(noticed, null, 2));
      } else survivors.push(mutant);
    }
  }),
);
for (const { id, file, breaks } of survivors) console.log(`survived: ${id} (${file}): ${breaks}`);
console.log(`tried ${chosen.length}, noticed ${chosen.length - survivors.length}, survived ${survivors.length}`);
process.exit(survivors.length === 0 ? 0 : 1);
