export { closeAfterEarlyAnswer, isWhole } from './early-answers.ts';
export { Expirations } from './expirations.ts';
export { HeldBodies } from './held-bodies.ts';
export type { HeldBody, HeldBodyLimits } from './held-bodies.ts';
export { OpenConnections } from './open-connections.ts';
export { answerUnreadable, refuseExpectations } from './unreadable-requests.ts';
export { nodeTimes, SERVER_TIMES } from './server-times.ts';
export type { ServerTimes } from './server-times.ts';
