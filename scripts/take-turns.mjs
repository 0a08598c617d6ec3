// Lets processes that write the same folders do so one after the other, as specs do that run side by side.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Milliseconds between two looks at whether it is our turn. */
const LOOK_MS = 200;

/** Waits until no other living process has a turn, by a file with its number, and keeps the turn until this one ends. */
export function takeTurn(file) {
  mkdirSync(dirname(file), { recursive: true });
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  while (!isTaken(file)) Atomics.wait(nobody, 0, 0, LOOK_MS);
  process.on('exit', () => rmSync(file, { force: true }));
}

function isTaken(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(ownerOf(file))) rmSync(file, { force: true });
    return false;
  }
}

/** The process that has the turn; one that has not yet said so counts as alive. */
function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || process.pid;
  } catch {
    return process.pid;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
