import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A journal that cannot be used: another process has it, it cannot be opened, or it is of another kind. The message is for the operator. */
export class UnusableJournal extends Error {}

/** Error code of SQLite for a file that is locked by another user. */
const BUSY = 5;
/** Access rights that prevent other system users from reading the documents of clients. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Open file of a journal, which only one process may use. */
export interface OpenedJournal {
  readonly db: DatabaseSync;
  /** Closes the file; another process may open it afterwards. */
  readonly close: () => void;
}

/**
 * Opens or makes a journal's file, `:memory:` for none. The process holds a lock on a second file beside it, `…-lock`. The system releases the lock when the
 * process ends, in whatever way.
 */
export function openJournal(file: string): OpenedJournal {
  if (file === ':memory:') return opened(new DatabaseSync(file));
  try {
    mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
    makePrivate(file);
    const lock = lockOf(`${file}-lock`);
    try {
      return opened(new DatabaseSync(file), lock);
    } catch (error) {
      lock.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY)
      throw new UnusableJournal(`${resolve(file)} is in use by another process; each needs a journal of its own`, { cause: error });
    throw new UnusableJournal(`${resolve(file)} cannot be opened (${error instanceof Error ? error.message : 'unknown reason'})`, {
      cause: error,
    });
  }
}

function opened(db: DatabaseSync, lock?: DatabaseSync): OpenedJournal {
  return {
    db,
    close: () => {
      db.close();
      lock?.close();
    },
  };
}

/** Locks a file with a transaction that stays open. Throws if another process, or another journal of this process, holds the lock. */
function lockOf(file: string): DatabaseSync {
  makePrivate(file);
  const lock = new DatabaseSync(file);
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Creates a file with private access rights. SQLite copies the rights of a database to the files that it creates next to it. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', FILE_MODE));
  chmodSync(file, FILE_MODE);
}
