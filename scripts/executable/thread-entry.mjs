// Source of the threads of a single executable, which is embedded in the executable.
import sea from 'node:sea';

export const THREAD_ENTRY = sea.getAsset('thread', 'utf8');
