import type { Socket } from 'node:net';

/**
 * Longest time in ms for which a connection stays open after its last answer if the client still sends. During this time, the server
 * discards what arrives. An immediate reset could destroy an answer that the client has not read yet.
 */
const LINGER_MS = 10_000;
/** Longest time in ms for which such a client may send nothing. */
const SILENCE_MS = 500;

/** Closes a connection after its last answer: as soon as the client has closed it, or sends nothing for a while. */
export function linger(socket: Socket): void {
  socket.end();
  // The HTTP server changes the socket's own timeout, so this needs separate timers.
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  const silent = setTimeout(() => socket.destroy(), SILENCE_MS).unref();
  socket.on('data', () => silent.refresh());
  socket.once('close', () => {
    clearTimeout(late);
    clearTimeout(silent);
  });
}
