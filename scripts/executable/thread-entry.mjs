// What a thread of the single executable runs: source that lies in the executable itself.
import sea from 'node:sea';

export const THREAD_ENTRY = sea.getAsset('thread', 'utf8');
