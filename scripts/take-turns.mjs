// Makes processes that write to the same folders, such as parallel specs, run one after the other.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Interval in ms at which a waiting process checks whether its turn has come. */
const LOOK_MS = 200;

/**
 * Waits until no other living process holds the turn (the permission to write the shared folders), and holds the turn until this process
 * ends. A process holds the turn while `file` exists and contains its id.
 */
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

/**
 * Returns the id of the process that holds the turn (may write the shared folders), as `file` states it. If `file` contains no id yet,
 * returns the id of this process, so that the caller takes the holder for alive.
 */
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
