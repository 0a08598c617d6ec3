import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Error for a journal that cannot be used: another process uses it, it cannot be opened, or its content has an unsupported form. The
 * message is for the operator.
 */
export class UnusableJournal extends Error {}

/** Error for a journal that another process uses. */
export class TakenJournal extends UnusableJournal {}

/** Error code of SQLite for a file that another connection has locked. */
const BUSY = 5;
/** Access rights of the journal's file and folder. They prevent other system users from reading the documents of clients. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Open SQLite database of a journal (file that preserves the queue's evaluations across restarts), with a function that closes the
 * database.
 */
export interface OpenedJournal {
  readonly db: DatabaseSync;
  /** Closes the database and releases the lock, so that another process may open the journal. */
  readonly close: () => void;
}

/**
 * Opens the journal (SQLite file that preserves the queue's evaluations across restarts), or creates it. If `file` is `:memory:`, opens a
 * database in memory. The process locks a second file, `…-lock`, in the same folder. The operating system releases the lock when the
 * process ends, even after a crash.
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
      throw new TakenJournal(`the journal ${resolve(file)} is in use by another process`, { cause: error });
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

/** Creates a file with private access rights. SQLite gives the same rights to the additional files that it creates for a database. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', FILE_MODE));
  chmodSync(file, FILE_MODE);
}
