// Records Go's results for the objects in objects.jsonl, for specs: the typed form in some minor versions (../src/typed/recorded.jsonl),
// and the objects that servers pass to admission (../src/defaults/recorded.jsonl).
//   ./build.sh && ./build-defaults.sh && node record.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const objects = readFileSync(join(here, 'objects.jsonl'), 'utf8').trimEnd().split('\n');
const input = objects.map((object) => `{"object":${object}}\n`).join('');

/**
 * Records the output of a Go program, one line for each object and Kubernetes minor version. If several minor versions give the same answer
 * for an object, only the line of the newest one is kept.
 */
function record(minors, program, target, keeps) {
  const lines = minors.flatMap((minor) => {
    const [file, ...options] = program(minor);
    const answers = execFileSync(join(here, 'bin', file), options, { input, encoding: 'utf8' })
      .trimEnd()
      .split('\n');
    return answers.flatMap((answer, index) => (keeps(answer) ? `{"minor":"${minor}","object":${objects[index]},"answer":${answer}}` : []));
  });
  const text = (line) => line.slice(line.indexOf(',') + 1);
  const last = new Map(lines.map((line, index) => [text(line), index]));
  const kept = lines.filter((line, index) => last.get(text(line)) === index);
  writeFileSync(join(here, target), `${kept.join('\n')}\n`);
}

record(
  ['1.30', '1.33', '1.34', '1.35', '1.37'],
  (minor) => [`builtin-types-${minor}`, 'decode'],
  '../../src/built-in/typed/recorded.jsonl',
  () => true,
);
record(
  ['1.30', '1.33', '1.34', '1.36', '1.37'],
  (minor) => [`builtin-defaults-${minor}`],
  '../../src/built-in/defaults/recorded.jsonl',
  (answer) => !answer.includes('"error"'),
);
