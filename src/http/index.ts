/** The HTTP adapter's public names. */

export type { Answered } from './answered.js';
export type { DropReason } from './connections.js';
export { createServer } from './create-server.js';
export { describeInterface } from './describe-interface.js';
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http-limits.js';
export type { Asset, PlaygroundFiles } from './pages/assets.js';
export { createRequestIds } from './request-ids.js';
export { type ListenerOptions, requestListener } from './request-listener.js';
export { BASE_PATH } from './routes/route.js';
